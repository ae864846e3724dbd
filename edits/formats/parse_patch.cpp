#include "edits/formats/parse_patch.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace bodkin {

namespace {

constexpr std::string_view kBeginPatch = "*** Begin Patch", kEndPatch = "*** End Patch",
                           kUpdate = "*** Update File:", kAdd = "*** Add File:",
                           kDelete = "*** Delete File:", kMove = "*** Move to:",
                           kEndOfFile = "*** End of File";

bool is_file_section(std::string_view s) {
  return s.starts_with(kUpdate) || s.starts_with(kAdd) || s.starts_with(kDelete);
}

std::unexpected<Failure> malformed_patch(size_t line, std::string_view what,
                                         std::string advice = {}) {
  return failure(FailureKind::malformed,
                 "line " + std::to_string(line + 1) + " of the patch " + std::string(what),
                 std::move(advice));
}

// One patch, from its first line to its end marker.
class PatchReader {
 public:
  PatchReader(ReplyLines& reply, size_t begin, size_t end, size_t indent,
              const ParseOptions& options, EditPlan& plan)
      : reply_(reply), at_(begin), end_(end), indent_(indent), options_(options), plan_(plan) {}

  FailureOr<void> read() {
    while (at_ < end_) {
      const std::string_view line = trimmed(this->line());
      if (line.empty() || line == kBeginPatch || line.starts_with("*** Environment ID:")) {
        ++at_;
      } else if (line.starts_with(kAdd)) {
        if (auto done = read_add(path_in(line.substr(kAdd.size()))); !done) return done;
      } else if (line.starts_with(kDelete)) {
        if (auto done = read_delete(path_in(line.substr(kDelete.size()))); !done) return done;
      } else if (line.starts_with(kUpdate)) {
        if (auto done = read_update(path_in(line.substr(kUpdate.size()))); !done) return done;
      } else {
        return malformed_patch(at_, "is not in any file section",
                               "start with \"*** Update File: path\"");
      }
    }
    return {};
  }

 private:
  std::string path_in(std::string_view written) const {
    return cleaned_path(written, options_.is_exact_name);
  }

  std::string_view line() const {
    std::string_view s = reply_.lines[at_];
    const size_t indent = std::min(indent_, s.size());
    return trimmed(s.substr(0, indent)).empty() ? s.substr(indent) : s;
  }

  FailureOr<void> read_add(std::string path) {
    FileChange change;
    change.kind = FileChange::Kind::create;
    change.path = std::move(path);
    change.source_line = ++at_;
    for (; at_ < end_ && !is_file_section(line()); ++at_) {
      const std::string_view s = line();
      if (s.starts_with('+')) {
        change.contents.append(s.substr(1)).push_back('\n');
      } else if (trimmed(s).empty()) {
        size_t next = at_;  // blank lines before the next file are not content
        while (next < end_ && trimmed(reply_.lines[next]).empty()) ++next;
        const bool lays_out = next == end_ || is_file_section(trimmed(reply_.lines[next]));
        if (!lays_out) change.contents.append(next - at_, '\n');
        at_ = next - 1;
      } else if (s == kEndOfFile) {
        continue;
      } else {
        if (is_file_section(trimmed(s))) break;
        return malformed_patch(at_, "must begin with + as every line of a new file");
      }
    }
    plan_.changes.push_back(std::move(change));
    return {};
  }

  // A deletion that shows the file's lines must show all of them.
  FailureOr<void> read_delete(std::string path) {
    FileChange change;
    change.kind = FileChange::Kind::remove;
    change.path = std::move(path);
    change.source_line = ++at_;
    Hunk hunk;
    hunk.source_line = at_ + 1;
    for (; at_ < end_ && !is_file_section(trimmed(line())); ++at_) {
      const std::string_view s = line();
      if (trimmed(s).empty() || s.starts_with("@@") || trimmed(s) == kEndOfFile) continue;
      if (!s.starts_with('-'))
        return malformed_patch(at_, "is not a valid line here",
                               "to delete it with its file, start it with -");
      hunk.lines.push_back({HunkLine::Kind::removed, std::string(s.substr(1))});
    }
    change.is_quoted = !hunk.lines.empty();
    if (change.is_quoted) change.hunks.push_back(std::move(hunk));
    plan_.changes.push_back(std::move(change));
    return {};
  }

  FailureOr<void> read_update(const std::string& path) {
    const size_t header = at_++;
    std::optional<std::string> rename_to;
    if (at_ < end_ && trimmed(line()).starts_with(kMove)) {
      rename_to = path_in(trimmed(line()).substr(kMove.size()));
      ++at_;
    }
    std::vector<Hunk> hunks;
    while (at_ < end_ && !is_file_section(line())) {
      if (hunks.empty() && is_file_section(trimmed(line()))) break;
      Hunk hunk = read_hunk();
      if (hunk.lines.empty()) {
        if (at_ >= end_ || is_file_section(line())) {
          if (hunk.anchors.empty() && !hunk.line_hint) break;
          return malformed_patch(at_ == 0 ? 0 : at_ - 1,
                                 "is an @@ line without any lines below it");
        }
        if (hunk.source_line == 0) ++at_;  // a stray line that opens nothing
        continue;
      }
      hunks.push_back(std::move(hunk));
    }
    if (hunks.empty() && !rename_to) {
      return malformed_patch(header, "updates a file but has no changed lines below it");
    }
    if (rename_to) {
      FileChange change;
      change.path = path;
      change.rename_to = std::move(rename_to);
      change.hunks = std::move(hunks);
      change.source_line = header + 1;
      plan_.changes.push_back(std::move(change));
    } else {
      FileChange& change = update_of(plan_, path, header + 1);
      for (Hunk& hunk : hunks) change.hunks.push_back(std::move(hunk));
    }
    return {};
  }

  Hunk read_hunk() {
    Hunk hunk;
    hunk.shares_context = true;
    size_t bare_blanks = 0;  // at the end, so far
    for (; at_ < end_; ++at_) {
      const std::string_view s = line();
      if (s.starts_with("@@")) {
        if (!hunk.lines.empty()) break;
        hunk.source_line = at_ + 1;
        add_anchor(hunk, s);
        continue;
      }
      if (is_file_section(s)) break;
      if (s == kEndOfFile || trimmed_right(s) == kEndOfFile) {
        hunk.at_end_of_file = true;
        ++at_;
        break;
      }
      if (hunk.source_line == 0) hunk.source_line = at_ + 1;
      bare_blanks = s.empty() ? bare_blanks + 1 : 0;
      if (s.empty()) {
        hunk.lines.push_back({HunkLine::Kind::context, ""});
      } else if (s[0] == '+') {
        hunk.lines.push_back({HunkLine::Kind::added, std::string(s.substr(1))});
      } else if (s[0] == '-') {
        hunk.lines.push_back({HunkLine::Kind::removed, std::string(s.substr(1))});
      } else {
        hunk.lines.push_back({HunkLine::Kind::context, std::string(s[0] == ' ' ? s.substr(1) : s)});
      }
    }
    // Bare blank lines before the next marker lay the patch out; they quote nothing.
    const bool only_blank = bare_blanks == hunk.lines.size();
    if (!hunk.at_end_of_file || only_blank) hunk.lines.resize(hunk.lines.size() - bare_blanks);
    return hunk;
  }

  static void add_anchor(Hunk& hunk, std::string_view s) {
    if (auto hint = hinted_line(s)) {
      hunk.line_hint = hint;
      return;
    }
    s = trimmed(s.substr(2));
    if (s.ends_with(" @@")) s = trimmed(s.substr(0, s.size() - 3));
    if (s == "@@" || s == "..." || s == "... @@") return;
    if (!s.empty()) hunk.anchors.emplace_back(s);
  }

  ReplyLines& reply_;
  size_t at_, end_, indent_;
  const ParseOptions& options_;
  EditPlan& plan_;
};

}  // namespace

std::optional<size_t> hinted_line(std::string_view s) {
  if (!s.starts_with("@@")) return std::nullopt;
  s = trimmed(s.substr(2));
  if (!s.starts_with('-')) return std::nullopt;
  size_t number = 0, count = 1;
  const char* end = s.data() + s.size();
  auto [rest, error] = std::from_chars(s.data() + 1, end, number);
  if (error != std::errc()) return std::nullopt;
  if (rest != end && *rest == ',') {
    auto [more, wrong] = std::from_chars(rest + 1, end, count);
    if (wrong != std::errc()) return std::nullopt;
    rest = more;
  }
  if (std::string_view(rest, end).find('+') == std::string_view::npos) return std::nullopt;
  if (number > (size_t{1} << 40)) return std::nullopt;
  return count == 0 || number == 0 ? number : number - 1;
}

bool is_left_over_patch(const ReplyLines& reply, size_t line) {
  std::string_view s = trimmed(reply.lines[line]);
  const size_t stars = std::min(s.find_first_not_of('*'), s.size());
  if (stars < 3) return false;
  s = trimmed(s.substr(stars));
  if (s == "Begin Patch" || s.starts_with("Move to:")) return true;
  if (s == "End Patch") return line == 0 || !reply.taken[line - 1];
  for (const std::string_view verb :
       {"Update", "Add", "Delete", "Create", "Modify", "Edit", "Remove", "Rename", "New"}) {
    if (s.starts_with(verb) && trimmed(s.substr(verb.size())).starts_with("File:")) return true;
  }
  return false;
}

FailureOr<void> parse_patch(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view s = trimmed(reply.lines[i]);
    if (s != kBeginPatch && !is_file_section(s)) continue;
    const size_t indent = reply.lines[i].find('*');
    size_t end = i + 1, padded = 0;
    for (; end < reply.size(); ++end) {
      if (reply.taken[end]) continue;
      const std::string_view line = without_token(reply.lines[end]);
      if (line.size() >= indent && trimmed(line.substr(0, indent)).empty() &&
          line.substr(indent) == kEndPatch) {
        break;
      }
      if (trimmed(line) == kEndPatch) padded = end;
    }
    if (end == reply.size() && padded != 0) end = padded;
    if (end == reply.size()) {
      return failure(FailureKind::truncated,
                     "the patch at line " + std::to_string(i + 1) +
                         " of the edit has no \"*** End Patch\" line",
                     "send the whole patch again");
    }
    if (auto done = PatchReader(reply, i, end, indent, options, plan).read(); !done) return done;
    // What wraps the patch belongs to it: a fence, a heredoc's first and last line.
    size_t begin = i, after = end + 1;
    const auto wraps = [&](std::string_view line) {
      return fence_info(line).has_value() || line.find("<<") != line.npos ||
             line.find("apply_patch") != line.npos;
    };
    while (begin > 0 && !reply.taken[begin - 1] && wraps(reply.lines[begin - 1])) --begin;
    while (begin < i && after < reply.size() &&
           (fence_info(reply.lines[after]) ||
            (trimmed(reply.lines[after]).size() <= 12 &&
             reply.lines[i - 1].find(trimmed(reply.lines[after]).substr(0, 3)) !=
                 std::string_view::npos &&
             !trimmed(reply.lines[after]).empty()))) {
      ++after;
    }
    // Blank lines may stand before the fence's end.
    const auto is_fence = [&](size_t k) { return fence_info(reply.lines[k]).has_value(); };
    const bool is_open = std::ranges::any_of(std::views::iota(begin, i), is_fence) &&
                         std::ranges::none_of(std::views::iota(end + 1, after), is_fence);
    size_t close = after;
    while (close < reply.size() && trimmed(reply.lines[close]).empty()) ++close;
    if (is_open && close < reply.size() && fence_info(reply.lines[close]) == std::string_view())
      after = close + 1;
    reply.take(begin, after);
    i = after - 1;
  }
  return {};
}

}  // namespace bodkin
