#include "edits/formats/parse_unified.h"

#include <algorithm>

#include "edits/formats/diff_header.h"
#include "edits/formats/hunk_lines.h"
#include "edits/formats/path_in_words.h"

namespace bodkin {

namespace {

bool starts_hunk(std::string_view line) { return line == "@@" || line.starts_with("@@ "); }

bool is_file_header(const ReplyLines& reply, size_t i) {
  return i + 1 < reply.size() && reply.lines[i].starts_with("--- ") &&
         reply.lines[i + 1].starts_with("+++ ");
}

class DiffReader {
 public:
  // `fence`: the line of the fence that is open around the diff.
  DiffReader(ReplyLines& reply, size_t begin, std::optional<size_t> fence)
      : reply_(reply), at_(begin), fence_(fence) {}

  size_t at() const { return at_; }

  FailureOr<void> read(const std::string& default_path, EditPlan& plan) {
    const size_t header = at_;
    DiffNames names = read_names();
    std::vector<Hunk> hunks;
    while (at_ < reply_.size() && reply_.lines[at_].starts_with("@@")) {
      if (reply_.lines[at_].starts_with("@@@"))
        return failure_at("the hunk", at_, "is of a combined diff, as of a merge",
                          "send a plain unified diff");
      auto hunk = read_hunk();
      if (!hunk) return std::unexpected(hunk.error());
      if (!hunk->lines.empty())
        hunks.push_back(*std::move(hunk));
      else if (hunk->evidence.line ||
               hunks.empty())  // else "@@ ... @@" parts hunks, or ends a diff
        return failure_at("the hunk", hunk->source_line - 1, "has no lines");
    }
    return add_diff(plan, std::move(names), std::move(hunks), default_path, header);
  }

 private:
  DiffNames read_names() {
    DiffNames names;
    if (reply_.lines[at_].starts_with("diff --git ")) {
      const std::string_view s = reply_.lines[at_].substr(11);
      // "a/x b/x": the two halves are equal except for the side.
      const size_t half = s.size() / 2;
      if (s.size() >= 7 && s[half] == ' ' && s.substr(2, half - 2) == s.substr(half + 3)) {
        names.before = path_in_header(s.substr(0, half));
        names.after = path_in_header(s.substr(half + 1));
        names.named = true;
      }
      while (++at_ < reply_.size() && read_extended(reply_.lines[at_], names)) {
      }
    }
    if (at_ < reply_.size() && is_file_header(reply_, at_)) {
      if (!names.renamed) {
        names.before = path_in_header(reply_.lines[at_].substr(4));
        names.after = path_in_header(reply_.lines[at_ + 1].substr(4));
      }
      names.named = true;
      at_ += 2;
    }
    return names;
  }

  // Reads one of git's lines between "diff --git" and "---"; false if it is not one.
  static bool read_extended(std::string_view line, DiffNames& names) {
    static constexpr std::string_view kKeys[] = {
        "index ",          "old mode ",   "new mode ",      "new file mode ", "deleted file mode ",
        "rename to ",      "similarity ", "dissimilarity ", "rename from ",   "Binary files",
        "GIT binary patch"};
    const auto* const key =
        std::ranges::find_if(kKeys, [&](std::string_view each) { return line.starts_with(each); });
    if (key == std::end(kKeys)) return false;
    const std::string_view rest = line.substr(key->size());
    if (*key == "rename from ") names.before = path_in_header(rest);
    if (*key == "rename to ") names.after = path_in_header(rest);
    names.renamed |= *key == "rename to ";
    names.named |= names.renamed;
    names.created |= *key == "new file mode ";
    names.removed |= *key == "deleted file mode ";
    names.mode |= *key == "new mode ";
    // 120000 is a link, 160000 a submodule.
    const bool is_link = rest.starts_with("12") || rest.starts_with("16");
    names.is_no_text |= (key->ends_with("mode ") && is_link) || *key == "Binary files" ||
                        *key == "GIT binary patch";
    return true;
  }

  bool ends_hunk(size_t i) const {
    const std::string_view s = reply_.lines[i];
    if (reply_.taken[i] || s.starts_with("@@") || s.starts_with("diff --git ")) return true;
    if (is_file_header(reply_, i) && i + 2 < reply_.size() && reply_.lines[i + 2].starts_with("@@"))
      return true;
    // " ```" is a line of the file: a fence is closed at the depth where it was opened.
    return fence_ && closes_fence(reply_.lines[*fence_], s) &&
           depth_of(s) <= depth_of(reply_.lines[*fence_]);
  }

  bool has_column(size_t i) const {
    const std::string_view s = reply_.lines[i];
    return !s.empty() && is_among(s[0], " +-\\");
  }

  // True if the text after the lines that the counts cover is not part of the hunk. Errors: it has
  // changes, which would be lost.
  FailureOr<bool> is_prose(size_t i, size_t source_line) const {
    size_t next = i;
    while (next < reply_.size() && reply_.lines[next].empty()) ++next;
    if (next > i && next < reply_.size() && !ends_hunk(next) && !is_file_header(reply_, next) &&
        has_column(next))
      return false;  // a blank line within the hunk
    for (next = i; next < reply_.size() && !is_blank(reply_.lines[next]) && !ends_hunk(next);
         ++next) {
      const std::string_view s = reply_.lines[next];
      if (s.size() > 1 && (s[0] == '+' || s[0] == '-') && s[1] != ' ' && s[1] != s[0])
        return failure_at(
            "the hunk", source_line - 1,
            "has more lines than its header says (see line " + std::to_string(i + 1) + ")",
            "send the whole diff again");
    }
    return true;
  }

  FailureOr<Hunk> read_hunk() {
    Hunk hunk{.format = DiffHunk{}};
    const HunkHeader header = hunk_header(reply_.lines[at_]);
    hunk.evidence.line = header.line;
    hunk.evidence.heading = header.heading;
    hunk.source_line = ++at_;
    const auto& counts = header.counts;
    size_t before = 0, after = 0, bare_blanks = 0;
    for (; at_ < reply_.size(); ++at_) {
      const std::string_view s = reply_.lines[at_];
      const bool full = counts && before >= counts->first && after >= counts->second;
      if (full && s == "-- ") break;  // above git's version: the end of a mail
      const bool may_be_line = counts && !full && !is_file_header(reply_, at_) &&
                               (s.starts_with("--- ") || s.starts_with("+++ "));
      if (ends_hunk(at_) && !may_be_line) break;
      if (full && !fence_ && !has_column(at_)) {
        const auto ends = is_prose(at_, hunk.source_line);
        if (!ends) return std::unexpected(ends.error());
        if (*ends) break;
      }
      if (s.starts_with("\\")) {  // "\ No newline at end of file"
        if (!hunk.lines.empty() && hunk.lines.back().kind != HunkLine::Kind::context)
          std::get<DiffHunk>(hunk.format).final_newline =
              hunk.lines.back().kind == HunkLine::Kind::removed;
        continue;
      }
      bare_blanks = s.empty() ? bare_blanks + 1 : 0;
      hunk.lines.push_back(hunk_line(s));
      before += hunk.lines.back().kind != HunkLine::Kind::added;
      after += hunk.lines.back().kind != HunkLine::Kind::removed;
    }
    const auto fits = [&] { return before <= counts->first && after <= counts->second; };
    // Counts are often wrong; but then some context is behind the changes, or one added line lacks.
    const auto last = hunk.lines.empty() ? HunkLine::Kind::removed : hunk.lines.back().kind;
    const size_t slack = last == HunkLine::Kind::added && before > 0;
    const bool is_short = counts && (before < counts->first || after + slack < counts->second);
    const bool may_be_cut =
        fence_ || !reply_.ends_in_newline || (is_short && last != HunkLine::Kind::context);
    if (counts && at_ == reply_.size() && may_be_cut && fits() &&
        before + after < counts->first + counts->second)
      return failure_at("the last hunk of the diff", hunk.source_line - 1, "stops before its end",
                        "send the whole diff again", FailureKind::truncated);
    for (; bare_blanks > 0 && !(counts && fits()); --bare_blanks, --before, --after)
      hunk.lines.pop_back();
    // Old lines that the header speaks of and the hunk lacks: its number is not all that was meant.
    if (before == 0 && counts && counts->first > 0) hunk.evidence.line.reset();
    return hunk;
  }

  ReplyLines& reply_;
  size_t at_;
  const std::optional<size_t> fence_;
};

// The lines of a fence as one hunk without a header; nullopt if they are not one.
std::optional<Hunk> bare_hunk(const ReplyLines& reply, size_t open, size_t close) {
  Hunk hunk{.format = DiffHunk{}};
  bool changes = false;
  for (size_t i = open + 1; i < close; ++i) {
    const std::string_view s = reply.lines[i];
    if (reply.taken[i] || (!s.empty() && !is_among(s[0], " +-")) || s.starts_with("--- ") ||
        s.starts_with("+++ "))
      return std::nullopt;
    hunk.lines.push_back(hunk_line(s));
    changes |= hunk.lines.back().kind != HunkLine::Kind::context;
  }
  hunk.source_line = open + 1;
  return changes ? std::optional(std::move(hunk)) : std::nullopt;
}

// The fences that say "diff", have no header and are below the name of a file.
FailureOr<void> parse_bare_fences(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    const auto info = reply.taken[i] ? std::nullopt : fence_info(reply.lines[i]);
    if (!info) continue;
    size_t close = i + 1, begin = i;
    while (close < reply.size() && !closes_fence(reply.lines[i], reply.lines[close])) ++close;
    auto hunk =
        is_diff_language(*info) && close < reply.size() ? bare_hunk(reply, i, close) : std::nullopt;
    if (hunk) {
      const auto path = path_for(reply, i, "", options.is_file, begin);
      if (!path) return std::unexpected(path.error());
      if (!path->empty()) {
        update_of(plan, *path, i + 1).hunks.push_back(*std::move(hunk));
        reply.take(std::min(begin, i), close + 1);
      }
    }
    i = close;
  }
  return {};
}

// True if the line is right below that of a fence "```diff".
bool is_in_diff_fence(const ReplyLines& reply, size_t line) {
  const auto info =
      line > 0 && !reply.taken[line - 1] ? fence_info(reply.lines[line - 1]) : std::nullopt;
  return info && is_diff_language(*info);
}

// True if the reply, or the fence that it begins with, begins with a hunk instead of a header.
bool begins_with_hunk(const ReplyLines& reply) {
  const auto first = std::ranges::find_if_not(
      reply.lines, [](std::string_view line) { return is_blank(line) || fence_info(line); });
  return first != reply.lines.end() && starts_hunk(*first);
}

}  // namespace

bool is_left_over_diff(const ReplyLines& reply, size_t line) {
  const std::string_view s = trimmed(reply.lines[line]);
  if (s.starts_with("diff --git ") || hunk_header(s).line) return true;
  return s.starts_with("--- ") && line + 1 < reply.size() &&
         trimmed(reply.lines[line + 1]).starts_with("+++ ");
}

namespace {

// A fence in a list is indented, and its lines by as much more, which is no part of the diff.
void dedent_diff_fences(ReplyLines& reply) {
  for (size_t i = 0; i < reply.size(); ++i) {
    // In a diff, the blanks are its columns.
    if (starts_hunk(reply.lines[i]) || reply.lines[i].starts_with("diff --git ")) return;
    const auto info = reply.taken[i] ? std::nullopt : fence_info(reply.lines[i]);
    const std::string_view indentation = info ? indentation_of(reply.lines[i]) : "";
    if (!info) continue;
    const auto is_inside = [&](std::string_view line) {
      return is_blank(line) || line.starts_with(indentation);
    };
    size_t close = i + 1;
    while (close < reply.size() && is_inside(reply.lines[close]) &&
           !closes_fence(reply.lines[i], reply.lines[close]))
      ++close;
    const bool is_closed = close < reply.size() && closes_fence(reply.lines[i], reply.lines[close]);
    if (is_closed && is_diff_language(*info))
      for (size_t k = i; k <= close; ++k)
        if (is_inside(reply.lines[k]))
          reply.lines[k].remove_prefix(std::min(indentation.size(), reply.lines[k].size()));
    i = is_closed ? close : close - 1;
  }
}

}  // namespace

FailureOr<void> parse_unified(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  const bool bare_hunks =
      !options.default_path.empty() &&
      (options.format == Format::unified || (!options.in_chat && begins_with_hunk(reply)));
  dedent_diff_fences(reply);
  std::optional<size_t> fence;  // open: it may hold several diffs
  std::string last_path;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view s = reply.lines[i];
    std::string path = options.default_path;
    size_t begin = i;
    if (!is_file_header(reply, i) && !s.starts_with("diff --git ") &&
        !(bare_hunks && s.starts_with("@@"))) {
      // The file is named above the fence, or is the one that the diff before changed.
      if (!starts_hunk(s) || !is_in_diff_fence(reply, i)) continue;
      auto named = path_for(reply, i - 1, last_path, options.is_file, begin);
      if (!named) return std::unexpected(named.error());
      path = named->empty() ? last_path : *std::move(named);
      if (path.empty()) continue;
    }
    if (i > 0 && fence_info(reply.lines[i - 1]) &&
        std::ranges::count(fences_around(reply, i), i - 1) > 0)
      fence = i - 1;
    DiffReader reader(reply, i, fence);
    if (auto done = reader.read(path, plan); !done) return done;
    size_t end = std::max(reader.at(), i + 1);
    if (fence) begin = std::min(begin, *fence);
    const bool updates = !plan.changes.empty() &&
                         plan.changes.back().kind == FileChange::Kind::update &&
                         !plan.changes.back().rename_to;
    last_path = updates ? plan.changes.back().path : "";
    if (end < reply.size() && fence_info(reply.lines[end]) == std::string_view()) {
      ++end;
      fence.reset();
    }
    reply.take(begin, end);
    i = end - 1;
  }
  return options.in_chat ? FailureOr<void>() : parse_bare_fences(reply, options, plan);
}

}  // namespace bodkin
