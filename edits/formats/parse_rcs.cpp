#include "edits/formats/parse_rcs.h"

#include <charconv>

#include "edits/formats/script.h"

namespace bodkin {

namespace {

struct RcsCommand {
  char kind = 0;
  size_t line = 0, count = 0;  // the line from 1; 0: before the first
};

std::optional<RcsCommand> rcs_command(std::string_view s) {
  s = trimmed_right(s);
  RcsCommand command;
  if (s.empty() || (s[0] != 'a' && s[0] != 'd')) return std::nullopt;
  command.kind = s[0];
  const char* end = s.data() + s.size();
  const auto [gap, wrong] = std::from_chars(s.data() + 1, end, command.line);
  if (wrong != std::errc() || gap == end || *gap != ' ') return std::nullopt;
  const auto [rest, error] = std::from_chars(gap + 1, end, command.count);
  if (error != std::errc() || rest != end) return std::nullopt;
  constexpr size_t kMax = size_t{1} << 40;
  if (command.count == 0 || command.line > kMax || command.count > kMax) return std::nullopt;
  if (command.kind == 'd' && command.line == 0) return std::nullopt;
  return command;
}

FailureOr<std::vector<Hunk>> read_script(const ReplyLines& reply, const Script& script) {
  std::vector<Hunk> hunks;
  const auto only_blank_from = [&](size_t line) {
    while (line < script.last && trimmed(reply.lines[line]).empty()) ++line;
    return line == script.last;
  };
  for (size_t i = script.first; i < script.last; ++i) {
    const auto command = rcs_command(reply.lines[i]);
    if (!command) {
      // Blank lines lay out what is round the script; within it they are text that is not counted.
      if (trimmed(reply.lines[i]).empty() && (hunks.empty() || only_blank_from(i))) continue;
      return failure(FailureKind::malformed,
                     "line " + std::to_string(i + 1) +
                         " of the edit is not an RCS command (\"d2 1\", \"a2 1\")");
    }
    const size_t source_line = i + 1;
    if (command->kind == 'd') {
      hunks.push_back(hunk_at_lines(command->line - 1, command->line - 1 + command->count, {}));
      hunks.back().source_line = source_line;
      continue;
    }
    if (script.last - i - 1 < command->count) {
      return failure(FailureKind::truncated,
                     "the command at line " + std::to_string(source_line) + " of the edit adds " +
                         std::to_string(command->count) + " lines, but " +
                         std::to_string(script.last - i - 1) + " follow",
                     "send the whole diff again");
    }
    std::vector<std::string> added;
    for (size_t k = 0; k < command->count; ++k) {
      const std::string_view text = reply.lines[++i];
      // Commands go down the file: where the count is too high, the next one is read as text.
      if (const auto next = rcs_command(text); next && next->line > command->line) {
        return failure(FailureKind::malformed,
                       "the command at line " + std::to_string(source_line) + " of the edit adds " +
                           std::to_string(command->count) + " lines, and one of them (line " +
                           std::to_string(i + 1) + ") is a command itself",
                       "correct the count");
      }
      added.emplace_back(text);
    }
    // Behind what is deleted: the two are one change.
    if (!hunks.empty() && hunks.back().lines.empty() &&
        hunks.back().at_lines->end == command->line) {
      for (std::string& line : added) {
        hunks.back().lines.push_back({HunkLine::Kind::added, std::move(line)});
      }
      continue;
    }
    hunks.push_back(hunk_at_lines(command->line, command->line, added));
    hunks.back().source_line = source_line;
  }
  if (script.open) {
    return failure(FailureKind::truncated, "the fence around the diff is not closed",
                   "send the whole diff again");
  }
  return hunks;
}

}  // namespace

FailureOr<void> parse_rcs(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  return parse_scripts(reply, options, "rcs", read_script, plan);
}

}  // namespace bodkin
