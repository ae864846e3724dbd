#include "edits/formats/parse_unified.h"

#include <charconv>

#include "edits/formats/diff_header.h"
#include "edits/formats/parse_patch.h"
#include "edits/formats/path_in_words.h"

namespace bodkin {

namespace {

bool starts_hunk(std::string_view line) { return line == "@@" || line.starts_with("@@ "); }

bool is_file_header(const ReplyLines& reply, size_t i) {
  return i + 1 < reply.size() && reply.lines[i].starts_with("--- ") &&
         reply.lines[i + 1].starts_with("+++ ");
}

// The counts of a hunk's header, if it has both.
std::optional<std::pair<size_t, size_t>> counts_of(std::string_view s) {
  const auto number = [&s](size_t& value) {
    auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc()) return false;
    s.remove_prefix(static_cast<size_t>(rest - s.data()));
    return true;
  };
  size_t start = 0, before = 1, after = 1;
  const size_t minus = s.find('-'), plus = s.find('+');
  if (minus == s.npos || plus == s.npos || plus < minus) return std::nullopt;
  const std::string_view whole = s;
  s = whole.substr(minus + 1);
  if (!number(start)) return std::nullopt;
  if (s.starts_with(',') && (s.remove_prefix(1), !number(before))) return std::nullopt;
  s = whole.substr(plus + 1);
  if (!number(start)) return std::nullopt;
  if (s.starts_with(',') && (s.remove_prefix(1), !number(after))) return std::nullopt;
  return std::pair(before, after);
}

class DiffReader {
 public:
  // `fence`: the line of the fence that the diff before opened and did not close.
  DiffReader(ReplyLines& reply, size_t begin, std::optional<size_t> fence, EditPlan& plan)
      : reply_(reply), at_(begin), plan_(plan), fence_(fence) {
    if (begin > 0 && !reply.taken[begin - 1] && fence_info(reply.lines[begin - 1])) {
      fence_ = begin - 1;
    }
  }

  size_t at() const { return at_; }
  std::optional<size_t> fence() const { return fence_; }

  FailureOr<void> read(const std::string& default_path) {
    const size_t header = at_;
    DiffNames names;
    read_names(names);
    std::vector<Hunk> hunks;
    while (at_ < reply_.size() && reply_.lines[at_].starts_with("@@")) {
      if (reply_.lines[at_].starts_with("@@@"))
        return failure(FailureKind::malformed,
                       "the hunk at line " + std::to_string(at_ + 1) +
                           " of the edit is of a combined diff, as of a merge",
                       "send a plain unified diff");
      auto hunk = read_hunk();
      if (!hunk) return std::unexpected(hunk.error());
      // "@@ ... @@" parts hunks, and also ends a diff.
      if (hunk->lines.empty() && !hunk->line_hint && !hunks.empty()) continue;
      if (hunk->lines.empty()) {
        return failure(
            FailureKind::malformed,
            "the hunk at line " + std::to_string(hunk->source_line) + " of the edit has no lines");
      }
      hunks.push_back(*std::move(hunk));
    }
    return add_diff(plan_, names, std::move(hunks), default_path, header);
  }

 private:
  void read_names(DiffNames& names) {
    if (reply_.lines[at_].starts_with("diff --git ")) {
      const std::string_view s = reply_.lines[at_].substr(11);
      // "a/x b/x": the two halves are equal but for the side.
      const size_t half = s.size() / 2;
      if (s.size() >= 7 && s.size() % 2 == 1 && s[half] == ' ' &&
          s.substr(2, half - 2) == s.substr(half + 3)) {
        names.before = path_in_header(s.substr(0, half));
        names.after = path_in_header(s.substr(half + 1));
        names.named = true;
      }
      for (++at_; at_ < reply_.size(); ++at_) {
        const std::string_view line = reply_.lines[at_];
        names.mode = names.mode || line.starts_with("new mode");
        for (const std::string_view key : {"new mode ", "new file mode "})
          if (line.starts_with(key)) names.new_mode = trimmed(line.substr(key.size()));
        if (line.starts_with("new file mode")) {
          names.created = true;
        } else if (line.starts_with("deleted file mode")) {
          names.removed = true;
        } else if (line.starts_with("rename from ")) {
          names.before = path_in_header(line.substr(12));
        } else if (line.starts_with("rename to ")) {
          names.after = path_in_header(line.substr(10));
          names.renamed = names.named = true;
        } else if (line.starts_with("Binary files") || line.starts_with("GIT binary patch")) {
          names.binary = true;
        } else if (!line.starts_with("index ") && !line.starts_with("old mode") &&
                   !line.starts_with("new mode") && !line.starts_with("similarity ") &&
                   !line.starts_with("dissimilarity ")) {
          break;
        }
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
  }

  bool ends_hunk(size_t i) const {
    const std::string_view s = reply_.lines[i];
    if (reply_.taken[i] || s.starts_with("@@") || s.starts_with("diff --git ")) return true;
    if (is_file_header(reply_, i) && i + 2 < reply_.size() &&
        reply_.lines[i + 2].starts_with("@@")) {
      return true;
    }
    // " ```" is a line of the file: a fence is closed at the depth where it was opened.
    return fence_ && fence_info(s) && closes_fence(reply_.lines[*fence_], s) &&
           s.find_first_not_of(" \t") <= reply_.lines[*fence_].find_first_not_of(" \t");
  }

  // "-- " and git's version end what git format-patch writes.
  bool is_mail_signature(size_t i) const {
    if (reply_.lines[i] != "-- " || i + 1 >= reply_.size()) return false;
    const std::string_view version = reply_.lines[i + 1];
    return !version.empty() && version[0] >= '0' && version[0] <= '9' &&
           version.find('.') != version.npos &&
           (i + 2 == reply_.size() || reply_.lines[i + 2].empty());
  }

  // True if more changes follow the lines that the counts cover.
  bool goes_on(size_t i) const {
    for (; i < reply_.size() && !trimmed(reply_.lines[i]).empty() && !ends_hunk(i); ++i) {
      const std::string_view s = reply_.lines[i];
      if (s.size() > 1 && (s[0] == '+' || s[0] == '-') && s[1] != ' ' && s[1] != s[0]) return true;
    }
    return false;
  }

  FailureOr<Hunk> read_hunk() {
    Hunk hunk;
    const std::string_view header = reply_.lines[at_];
    hunk.line_hint = hinted_line(header);
    if (const size_t close = header.find("@@", 2); close != header.npos)
      hunk.heading = trimmed(header.substr(close + 2));
    hunk.source_line = ++at_;
    const auto counts = counts_of(header);
    size_t before = 0, after = 0, bare_blanks = 0;
    for (; at_ < reply_.size(); ++at_) {
      const bool full = counts && before >= counts->first && after >= counts->second;
      const std::string_view s = reply_.lines[at_];
      if (full && is_mail_signature(at_)) break;
      const bool may_be_line = counts && !full && (s.starts_with("--- ") || s.starts_with("+++ "));
      if (ends_hunk(at_) && !(may_be_line && !is_file_header(reply_, at_))) break;
      if (full && !fence_ && (s.empty() || std::string_view(" +-\\").find(s[0]) == s.npos)) {
        size_t next = at_;
        while (next < reply_.size() && reply_.lines[next].empty()) ++next;
        const bool blank_within = s.empty() && next < reply_.size() && !ends_hunk(next) &&
                                  !is_file_header(reply_, next) &&
                                  std::string_view(" +-").find(reply_.lines[next][0]) != s.npos;
        if (!blank_within && goes_on(at_)) {
          return failure(FailureKind::malformed,
                         "the hunk at line " + std::to_string(hunk.source_line) +
                             " of the edit has more lines than its header says (see line " +
                             std::to_string(at_ + 1) + ")",
                         "send the whole diff again");
        }
        if (!blank_within) break;
      }
      if (s.starts_with("\\")) {
        if (!hunk.lines.empty()) {
          const auto kind = hunk.lines.back().kind;
          if (kind == HunkLine::Kind::added) hunk.final_newline = false;
          if (kind == HunkLine::Kind::removed) hunk.final_newline = true;
        }
        continue;
      }
      bare_blanks = s.empty() ? bare_blanks + 1 : 0;
      auto kind = HunkLine::Kind::context;
      if (s.starts_with('+')) kind = HunkLine::Kind::added;
      if (s.starts_with('-')) kind = HunkLine::Kind::removed;
      const bool prefixed = kind != HunkLine::Kind::context || s.starts_with(' ');
      hunk.lines.push_back({kind, std::string(prefixed ? s.substr(1) : s)});
      before += kind != HunkLine::Kind::added;
      after += kind != HunkLine::Kind::removed;
    }
    const bool open_fence = fence_ && at_ == reply_.size();
    if (counts && at_ == reply_.size() && (open_fence || !reply_.ends_in_newline) &&
        before <= counts->first && after <= counts->second &&
        before + after < counts->first + counts->second) {
      return failure(FailureKind::truncated,
                     "the last hunk of the diff (line " + std::to_string(hunk.source_line) +
                         " of the edit) stops before its end",
                     "send the whole diff again");
    }
    while (bare_blanks > 0 && !hunk.lines.empty() &&
           !(counts && before <= counts->first && after <= counts->second)) {
      hunk.lines.pop_back();
      --bare_blanks, --before, --after;
    }
    // Old lines that the header speaks of and the hunk lacks: its number is not all that was meant.
    if (before == 0 && counts && counts->first > 0) hunk.line_hint.reset();
    if (!counts) hunk.lines.resize(hunk.lines.size() - std::min(bare_blanks, hunk.lines.size()));
    return hunk;
  }

  ReplyLines& reply_;
  size_t at_;
  EditPlan& plan_;
  std::optional<size_t> fence_;
};

// A fence that says "diff", has no header, and is below the name of a file: its lines are one hunk,
// if they all have their column.
FailureOr<void> parse_bare_fences(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    const auto info = reply.taken[i] ? std::nullopt : fence_info(reply.lines[i]);
    if (!info) continue;
    size_t close = i + 1;
    Hunk hunk;
    bool fits = is_diff_language(*info), changes = false;
    for (; close < reply.size() && !closes_fence(reply.lines[i], reply.lines[close]); ++close) {
      const std::string_view s = reply.lines[close];
      const char column = s.empty() ? ' ' : s.front();
      fits = fits && !reply.taken[close] && std::string_view(" +-").find(column) != s.npos &&
             !s.starts_with("--- ") && !s.starts_with("+++ ");
      changes = changes || column != ' ';
      hunk.lines.push_back({column == '+'   ? HunkLine::Kind::added
                            : column == '-' ? HunkLine::Kind::removed
                                            : HunkLine::Kind::context,
                            std::string(s.substr(s.empty() ? 0 : 1))});
    }
    if (fits && changes && close < reply.size()) {
      size_t begin = i;
      auto path = path_for(reply, i, "", options.is_file, begin);
      if (!path) return std::unexpected(path.error());
      if (!path->empty()) {
        hunk.literal = hunk.shares_context = true;
        hunk.source_line = i + 1;
        update_of(plan, *path, i + 1).hunks.push_back(std::move(hunk));
        reply.take(std::min(begin, i), close + 1);
      }
    }
    i = close;
  }
  return {};
}

// The line of a fence "```diff" right above a hunk without a header, whose file is then named above
// the fence, or is the one that the diff before changed.
bool is_in_bare_fence(const ReplyLines& reply, size_t hunk) {
  if (hunk == 0 || reply.taken[hunk - 1] || !starts_hunk(reply.lines[hunk])) return false;
  const auto info = fence_info(reply.lines[hunk - 1]);
  return info && is_diff_language(*info);
}

// True if the reply, or the fence that it begins with, begins with a hunk instead of a header.
bool begins_with_hunk(const ReplyLines& reply) {
  size_t i = 0;
  while (i < reply.size() && (is_blank(reply.lines[i]) || fence_info(reply.lines[i]))) ++i;
  return i < reply.size() && starts_hunk(reply.lines[i]);
}

}  // namespace

bool is_left_over_diff(const ReplyLines& reply, size_t line) {
  const std::string_view s = trimmed(reply.lines[line]);
  if (s.starts_with("diff --git ") || (s.starts_with("@@ -") && hinted_line(s))) return true;
  return s.starts_with("--- ") && line + 1 < reply.size() &&
         trimmed(reply.lines[line + 1]).starts_with("+++ ");
}

FailureOr<void> parse_unified(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  const bool bare_hunks =
      !options.default_path.empty() &&
      (options.format == Format::unified || (!options.in_chat && begins_with_hunk(reply)));
  std::optional<size_t> fence;  // open: it may hold several diffs
  std::string last_path;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view s = reply.lines[i];
    std::string path = options.default_path;
    size_t begin = i;
    if (!is_file_header(reply, i) && !s.starts_with("diff --git ") &&
        !(bare_hunks && s.starts_with("@@"))) {
      if (!is_in_bare_fence(reply, i)) continue;
      auto named = path_for(reply, i - 1, last_path, options.is_file, begin);
      if (!named) return std::unexpected(named.error());
      path = named->empty() ? last_path : *std::move(named);
      if (path.empty()) continue;
    }
    DiffReader reader(reply, i, fence, plan);
    if (auto done = reader.read(path); !done) return done;
    fence = reader.fence();
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
