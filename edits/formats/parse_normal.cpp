#include "edits/formats/parse_normal.h"

#include <charconv>

#include "edits/formats/diff_header.h"

namespace bodkin {

namespace {

struct NormalCommand {
  char kind = 0;
  size_t old_first = 0, old_last = 0, new_first = 0, new_last = 0;  // from 1
};

std::optional<NormalCommand> normal_command(std::string_view s) {
  s = trimmed_right(s);
  const auto range = [&s](size_t& first, size_t& last) {
    const auto number = [&s](size_t& value) {
      const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), value);
      if (error != std::errc() || value > (size_t{1} << 40)) return false;
      s.remove_prefix(static_cast<size_t>(rest - s.data()));
      return true;
    };
    if (!number(first)) return false;
    last = first;
    return !s.starts_with(',') || (s.remove_prefix(1), number(last) && last >= first);
  };
  NormalCommand command;
  if (!range(command.old_first, command.old_last) || s.empty()) return std::nullopt;
  command.kind = s[0];
  s.remove_prefix(1);
  if (command.kind != 'a' && command.kind != 'c' && command.kind != 'd') return std::nullopt;
  if (!range(command.new_first, command.new_last) || !s.empty()) return std::nullopt;
  return command;
}

// A line of one side: "< text"; an empty line may have lost its blank.
std::optional<std::string_view> line_of(std::string_view s, char sign) {
  if (!s.starts_with(sign) || (s.size() > 1 && s[1] != ' ')) return std::nullopt;
  return s.size() > 2 ? s.substr(2) : std::string_view();
}

// The line between the two sides.
bool is_divider(const ReplyLines& reply, size_t i) {
  return trimmed_right(reply.lines[i]) == "---" && i + 1 < reply.size() &&
         line_of(reply.lines[i + 1], '>');
}

// A command and the first of its lines: nothing else looks like this.
bool begins_command(const ReplyLines& reply, size_t i) {
  if (reply.taken[i] || i + 1 >= reply.size() || reply.taken[i + 1]) return false;
  const auto command = normal_command(reply.lines[i]);
  return command && line_of(reply.lines[i + 1], command->kind == 'a' ? '>' : '<');
}

// The file that a line above the first command names: of "diff -r a/x b/x" or "Index: x".
bool read_names(std::string_view s, DiffNames& names) {
  if (s.starts_with("Index: ")) {
    names.before = names.after = path_in_header(s.substr(7));
    return names.named = true;
  }
  if (!s.starts_with("diff ")) return false;
  std::vector<std::string_view> words;
  for (s = trimmed(s.substr(5)); !s.empty();) {
    const size_t end = std::min(s.find(' '), s.size());
    if (!s.starts_with('-')) words.push_back(s.substr(0, end));
    s = trimmed(s.substr(end));
  }
  if (words.size() != 2) return false;
  names.before = path_in_header(words[0]);
  names.after = path_in_header(words[1]);
  return names.named = true;
}

FailureOr<Hunk> read_command(const ReplyLines& reply, size_t& at) {
  const NormalCommand command = *normal_command(reply.lines[at]);
  Hunk hunk;
  hunk.source_line = ++at;
  std::vector<std::string> before, after;
  const auto read = [&](char sign, std::vector<std::string>& lines) {
    bool unended = false;
    for (; at < reply.size() && !reply.taken[at]; ++at) {
      if (reply.lines[at].starts_with("\\ ")) {
        unended = !lines.empty();
      } else if (const auto line = line_of(reply.lines[at], sign)) {
        lines.emplace_back(*line);
      } else {
        break;
      }
    }
    return unended;
  };
  bool old_unended = false, new_unended = false, divided = true;
  if (command.kind != 'a') old_unended = read('<', before);
  if (command.kind == 'c') {
    divided = at < reply.size() && trimmed_right(reply.lines[at]) == "---";
    at += divided;
  }
  if (command.kind != 'd') new_unended = read('>', after);
  const size_t removed = command.kind == 'a' ? 0 : command.old_last - command.old_first + 1;
  const size_t added = command.kind == 'd' ? 0 : command.new_last - command.new_first + 1;
  const bool at_end = at >= reply.size();
  // It has no context: its numbers are what says that no line of it is lost.
  if (!divided || before.size() != removed || after.size() != added) {
    return failure(at_end ? FailureKind::truncated : FailureKind::malformed,
                   "the command at line " + std::to_string(hunk.source_line) + " of the edit has " +
                       std::to_string(before.size()) + " old and " + std::to_string(after.size()) +
                       " new lines, but its numbers say " + std::to_string(removed) + " and " +
                       std::to_string(added),
                   "send the whole diff again");
  }
  hunk.lines = lines_of_halves(before, after);
  hunk.line_hint = command.kind == 'a'      ? command.old_first
                   : command.old_first == 0 ? 0
                                            : command.old_first - 1;
  if (old_unended != new_unended && !before.empty() && !after.empty()) {
    hunk.final_newline = old_unended;
  } else if (new_unended && before.empty()) {
    hunk.final_newline = false;
  }
  return hunk;
}

}  // namespace

bool is_left_over_command(const ReplyLines& reply, size_t line) {
  if (line + 1 >= reply.size() || !normal_command(trimmed(reply.lines[line]))) return false;
  const std::string_view next = trimmed(reply.lines[line + 1]);
  return next.starts_with('<') || next.starts_with('>') || is_divider(reply, line + 1);
}

FailureOr<void> parse_normal(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (!begins_command(reply, i)) continue;
    size_t begin = i;
    DiffNames names;
    std::string path;
    if (i > 0 && !reply.taken[i - 1] && read_names(reply.lines[i - 1], names)) {
      begin = i - 1;
    } else {
      path = path_above(reply, i, begin);
      if (path.empty()) path = options.default_path;
    }
    // Without a name it is an example for the user.
    const bool nameless = !names.named && path.empty();
    const size_t header = i;
    std::vector<Hunk> hunks;
    size_t at = i;
    while (at < reply.size() && begins_command(reply, at)) {
      auto hunk = read_command(reply, at);
      if (!hunk && !nameless) return std::unexpected(hunk.error());
      if (hunk) hunks.push_back(*std::move(hunk));
    }
    // A number that nothing follows: the next command was cut off.
    if (at + 1 == reply.size() && !nameless &&
        (normal_command(reply.lines[at]) || !reply.ends_in_newline) &&
        reply.lines[at].find_first_not_of("0123456789,acd") == std::string_view::npos &&
        !reply.lines[at].empty()) {
      return failure(FailureKind::truncated,
                     "the command at line " + std::to_string(at + 1) + " of the edit has no lines",
                     "send the whole diff again");
    }
    if (at < reply.size() && !nameless &&
        (reply.lines[at].starts_with('<') || reply.lines[at].starts_with('>') ||
         is_divider(reply, at))) {
      return failure(FailureKind::malformed,
                     "line " + std::to_string(at + 1) + " of the edit belongs to no command",
                     "send the whole diff again");
    }
    i = at - 1;
    if (nameless && options.format == Format::automatic) continue;
    if (auto done = add_diff(plan, names, std::move(hunks), path, header); !done) return done;
    if (begin < header && at < reply.size() && fence_info(reply.lines[at]) == std::string_view()) {
      ++at;
    }
    reply.take(begin, at);
    i = at - 1;
  }
  return {};
}

}  // namespace bodkin
