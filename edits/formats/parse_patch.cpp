#include "edits/formats/parse_patch.h"

#include <algorithm>

#include "edits/formats/hunk_lines.h"

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
    FailureOr<void> done;
    while (done && at_ < end_) {
      const std::string_view line = trimmed(this->line());
      if (line.empty() || line == kBeginPatch || line.starts_with("*** Environment ID:"))
        ++at_;
      else if (line.starts_with(kAdd))
        done = read_add(path_in(line.substr(kAdd.size())));
      else if (line.starts_with(kDelete))
        done = read_delete(path_in(line.substr(kDelete.size())));
      else if (line.starts_with(kUpdate))
        done = read_update(path_in(line.substr(kUpdate.size())));
      else
        return malformed_patch(at_, "is not in any file section",
                               "start with \"*** Update File: path\"");
    }
    return done;
  }

 private:
  std::string path_in(std::string_view written) const {
    return cleaned_path(written, options_.is_exact_name);
  }

  std::string_view line() const {
    const std::string_view s = reply_.lines[at_];
    return is_blank(s.substr(0, indent_)) ? s.substr(std::min(indent_, s.size())) : s;
  }

  FileChange& add_change(FileChange::Kind kind, std::string path) {
    FileChange& change = plan_.changes.emplace_back();
    change.kind = kind;
    change.path = std::move(path);
    change.source_line = ++at_;
    return change;
  }

  FailureOr<void> read_add(std::string path) {
    FileChange& change = add_change(FileChange::Kind::create, std::move(path));
    size_t blank = 0;  // lines that lay the patch out, unless more of the file follows
    for (; at_ < end_ && !is_file_section(trimmed(line())); ++at_) {
      const std::string_view s = line();
      if (is_blank(s)) {
        ++blank;
      } else if (s.starts_with('+')) {
        change.contents.append(std::exchange(blank, 0), '\n').append(s.substr(1)).push_back('\n');
      } else if (s != kEndOfFile) {
        return malformed_patch(at_, "must begin with + as every line of a new file");
      }
    }
    return {};
  }

  FailureOr<void> read_delete(std::string path) {
    FileChange& change = add_change(FileChange::Kind::remove, std::move(path));
    Hunk hunk{.format = PatchHunk{}};
    hunk.source_line = at_ + 1;
    for (; at_ < end_ && !is_file_section(trimmed(line())); ++at_) {
      const std::string_view s = line();
      if (is_blank(s) || s.starts_with("@@") || trimmed(s) == kEndOfFile) continue;
      if (!s.starts_with('-'))
        return malformed_patch(at_, "is not a valid line here",
                               "to delete it with its file, start it with -");
      hunk.lines.push_back(hunk_line(s));
    }
    if (!hunk.lines.empty()) change.hunks.push_back(std::move(hunk));
    return {};
  }

  FailureOr<void> read_update(const std::string& path) {
    const size_t header = at_++;
    std::optional<std::string> rename_to;
    if (at_ < end_ && trimmed(line()).starts_with(kMove))
      rename_to = path_in(trimmed(reply_.lines[at_++]).substr(kMove.size()));
    std::vector<Hunk> hunks;
    // A padded header could also be a context line, below a hunk.
    while (at_ < end_ && !is_file_section(hunks.empty() ? trimmed(line()) : line())) {
      Hunk hunk = read_hunk();
      const bool is_named = !hunk.evidence.anchors.empty() || hunk.evidence.line;
      if (!hunk.lines.empty())
        hunks.push_back(std::move(hunk));
      else if (is_named && (at_ >= end_ || is_file_section(line())))
        return malformed_patch(at_ - 1, "is an @@ line without any lines below it");
    }
    if (hunks.empty() && !rename_to)
      return malformed_patch(header, "updates a file but has no changed lines below it");
    FileChange& change =
        rename_to ? plan_.changes.emplace_back() : update_of(plan_, path, header + 1);
    if (rename_to) change.path = path, change.source_line = header + 1;
    change.rename_to = std::move(rename_to);
    std::ranges::move(hunks, std::back_inserter(change.hunks));
    return {};
  }

  Hunk read_hunk() {
    Hunk hunk{.format = PatchHunk{}};
    size_t bare_blanks = 0;  // at the end, so far
    for (; at_ < end_ && !is_file_section(line()); ++at_) {
      const std::string_view s = line();
      if (s.starts_with("@@")) {
        if (!hunk.lines.empty()) break;
        hunk.source_line = at_ + 1;
        add_anchor(hunk, s);
        continue;
      }
      if (trimmed_right(s) == kEndOfFile) {
        hunk.evidence.at_end_of_file = true;
        ++at_;
        break;
      }
      if (hunk.source_line == 0) hunk.source_line = at_ + 1;
      bare_blanks = s.empty() ? bare_blanks + 1 : 0;
      hunk.lines.push_back(hunk_line(s));
    }
    const bool only_blank = bare_blanks == hunk.lines.size();
    if (!hunk.evidence.at_end_of_file || only_blank)
      hunk.lines.resize(hunk.lines.size() - bare_blanks);
    return hunk;
  }

  static void add_anchor(Hunk& hunk, std::string_view s) {
    if (const auto hint = hunk_header(s).line) {
      hunk.evidence.line = hint;
      return;
    }
    s = trimmed(s.substr(2));
    if (s.ends_with("@@")) s = trimmed(s.substr(0, s.size() - 2));
    if (!s.empty() && s != "...") hunk.evidence.anchors.emplace_back(s);
  }

  ReplyLines& reply_;
  size_t at_, end_, indent_;
  const ParseOptions& options_;
  EditPlan& plan_;
};

// The line of the end marker: at the depth of the patch, else the last one at any depth.
size_t end_of_patch(const ReplyLines& reply, size_t begin, size_t indent) {
  size_t padded = reply.size();
  for (size_t i = begin + 1; i < reply.size(); ++i) {
    const std::string_view line = without_token(reply.lines[i]);
    if (reply.taken[i] || trimmed(line) != kEndPatch) continue;
    if (line.find('*') == indent) return i;
    padded = i;
  }
  return padded;
}

// Claims the patch with its surroundings: a fence, a heredoc's first and last line. Returns the
// line below.
size_t take_patch(ReplyLines& reply, size_t first, size_t end) {
  const std::vector<size_t> fences = fences_around(reply, first);
  size_t begin = first, after = end + 1, open = 0;
  std::string_view heredoc;
  for (; begin > 0 && !reply.taken[begin - 1]; --begin) {
    const std::string_view line = reply.lines[begin - 1];
    if (std::ranges::count(fences, begin - 1) > 0)
      ++open;
    else if (!fence_info(line) && (line.contains("<<") || line.contains("apply_patch")))
      heredoc = line;
    else
      break;
  }
  for (size_t i = after; i < reply.size() && !reply.taken[i]; ++i) {
    const std::string_view line = trimmed(reply.lines[i]);
    if (line.empty()) continue;
    if (fence_info(line) == std::string_view() && open > 0)
      --open;
    else if (line.size() > 12 || !heredoc.contains(line.substr(0, 3)))
      break;
    after = i + 1;
  }
  reply.take(begin, after);
  return after;
}

}  // namespace

bool is_left_over_patch(const ReplyLines& reply, size_t line) {
  std::string_view s = trimmed(reply.lines[line]);
  const size_t stars = std::min(s.find_first_not_of('*'), s.size());
  if (stars < 3) return false;
  s = trimmed(s.substr(stars));
  if (s == "End Patch") return line == 0 || !reply.taken[line - 1];
  const std::string_view verb = first_word(s);
  return s == "Begin Patch" || s.starts_with("Move to:") ||
         (is_one_of(verb, {"Update", "Add", "Delete", "Create", "Modify", "Edit", "Remove",
                           "Rename", "New"}) &&
          trimmed(s.substr(verb.size())).starts_with("File:"));
}

FailureOr<void> parse_patch(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    const std::string_view s = trimmed(reply.lines[i]);
    if (reply.taken[i] || (s != kBeginPatch && !is_file_section(s))) continue;
    const size_t indent = reply.lines[i].find('*'), end = end_of_patch(reply, i, indent);
    if (end == reply.size())
      return failure_at("the patch", i, "has no \"*** End Patch\" line",
                        "send the whole patch again", FailureKind::truncated);
    if (auto done = PatchReader(reply, i, end, indent, options, plan).read(); !done) return done;
    i = take_patch(reply, i, end) - 1;
  }
  return {};
}

}  // namespace bodkin
