#include "edits/formats/parse_ed.h"

#include <charconv>

#include "edits/formats/script.h"

namespace bodkin {

namespace {

constexpr size_t kLast = static_cast<size_t>(-1);  // "$"

struct EdCommand {
  std::optional<size_t> first, last;  // from 1
  char kind = 0;
};

std::optional<size_t> read_address(std::string_view& s) {
  if (s.starts_with('$')) {
    s.remove_prefix(1);
    return kLast;
  }
  size_t number = 0;
  const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), number);
  if (error != std::errc() || number > (size_t{1} << 40)) return std::nullopt;
  s.remove_prefix(static_cast<size_t>(rest - s.data()));
  return number;
}

std::optional<EdCommand> ed_command(std::string_view s) {
  s = trimmed_right(s);
  EdCommand command;
  command.first = command.last = read_address(s);
  if (command.first && s.starts_with(',')) {
    s.remove_prefix(1);
    command.last = read_address(s);
    if (!command.last || *command.last < *command.first) return std::nullopt;
  }
  if (s.size() != 1 || std::string_view("acdi").find(s[0]) == s.npos) return std::nullopt;
  command.kind = s[0];
  return command;
}

bool ends_script(std::string_view s) {
  s = trimmed_right(s);
  return s == "w" || s == "q" || s == "wq" || s == "H" || s == "Q";
}

class EdReader {
 public:
  EdReader(const ReplyLines& reply, const Script& script) : reply_(reply), script_(script) {}

  FailureOr<std::vector<Hunk>> read() {
    for (size_t i = script_.first; i < script_.last; ++i) {
      const std::string_view line = reply_.lines[i];
      if (trimmed(line).empty() || ends_script(line)) continue;
      if (trimmed_right(line) == "s/.//" && dots_ && !hunks_.empty()) {
        dots_ = false;
        hunks_.back().lines.back().text.erase(0, 1);
        continues_ = true;
        continue;
      }
      const auto command = ed_command(line);
      if (!command)
        return error(FailureKind::malformed, i,
                     "is not a supported command: only a, c, d and i "
                     "with line numbers are");
      if (auto done = read_command(*command, i); !done) return std::unexpected(done.error());
    }
    if (script_.open)
      return error(FailureKind::truncated, script_.last - 1,
                   "is the last: the script's end is missing");
    return std::move(hunks_);
  }

 private:
  std::unexpected<Failure> error(FailureKind kind, size_t line, std::string_view what,
                                 std::string advice = "send the whole script again") const {
    return failure(kind, "line " + std::to_string(line + 1) + " of the edit " + std::string(what),
                   std::move(advice));
  }

  FailureOr<void> read_command(const EdCommand& command, size_t& i) {
    const size_t at = i;
    std::vector<std::string> text;
    if (command.kind != 'd') {
      for (++i; i < script_.last && reply_.lines[i] != "."; ++i) {
        const auto next = ed_command(reply_.lines[i]);
        if (next && next->first && (*next->last < *command.first || *next->first > *command.last))
          return error(FailureKind::malformed, i,
                       "looks like a command, but is inside the text of the command at line " +
                           std::to_string(at + 1) + ", which needs a \".\" below its text");
        text.emplace_back(reply_.lines[i]);
      }
      if (i == script_.last)
        return error(FailureKind::truncated, at, "starts text that has no closing \".\"");
    }
    dots_ = !text.empty() && text.back() == "..";
    if (!command.first) {
      if (command.kind != 'a' || !continues_)
        return error(FailureKind::malformed, at, "has no line number");
      for (std::string& line : text) {
        hunks_.back().lines.push_back({HunkLine::Kind::added, std::move(line)});
        ++grown_;
      }
      return {};
    }
    continues_ = false;
    size_t begin = *command.first, end = *command.last;  // half open from 0 below
    const bool appends = command.kind == 'a' && begin == kLast;
    const bool names_lines = command.kind != 'a' && command.kind != 'i';
    if (!appends && (end == kLast || (begin == 0 && names_lines))) {
      return error(FailureKind::malformed, at, "has an invalid address",
                   "send the whole script again, with a line number");
    }
    if (command.kind == 'a') {
      begin = end;
    } else if (command.kind == 'i') {
      begin = end = end == 0 ? 0 : end - 1;
    } else {
      --begin;
    }
    if (grown_ != 0 && end > lowest_) {
      return error(FailureKind::malformed, at,
                   "comes after commands that change the number of lines above it, so it is not "
                   "clear which line it means",
                   "send the whole script again, its commands from the bottom of the file up");
    }
    lowest_ = std::min(lowest_, begin);
    grown_ += static_cast<long long>(text.size()) - static_cast<long long>(end - begin);
    Hunk hunk = hunk_at_lines(begin, end, text);
    if (appends) {
      hunk.at_lines.reset();
      hunk.at_end_of_file = true;
    }
    hunk.source_line = at + 1;
    hunks_.push_back(std::move(hunk));
    return {};
  }

  const ReplyLines& reply_;
  const Script& script_;
  std::vector<Hunk> hunks_;
  bool dots_ = false;       // the text before ended in ".."
  bool continues_ = false;  // after "s/.//": "a" goes on with the text before
  size_t lowest_ = kLast;   // where the uppermost command so far begins
  long long grown_ = 0;     // by how many lines the commands so far change the file
};

}  // namespace

FailureOr<void> parse_ed(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  const auto read = [](const ReplyLines& lines, const Script& script) {
    return EdReader(lines, script).read();
  };
  return parse_scripts(reply, options, "ed", read, plan);
}

}  // namespace bodkin
