#include "edits/formats/parse_context.h"

#include <charconv>

#include "edits/formats/diff_header.h"

namespace bodkin {

namespace {

using Kind = HunkLine::Kind;

struct Range {
  size_t first = 0, count = 0;  // from 1; `first` 0: before the first line
};

// "*** 1,7 ****", "--- 4 ----"
std::optional<Range> range_of(std::string_view line, char sign) {
  const std::string open(3, sign), close(4, sign);
  line = trimmed_right(line);
  if (!line.starts_with(open + " ") || !line.ends_with(" " + close) || line.size() < 10) {
    return std::nullopt;
  }
  std::string_view s = trimmed(line.substr(4, line.size() - 9));
  Range range;
  const auto number = [&s](size_t& value) {
    const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc()) return false;
    s.remove_prefix(static_cast<size_t>(rest - s.data()));
    return true;
  };
  if (!number(range.first)) return std::nullopt;
  size_t last = range.first;
  if (s.starts_with(',') && (s.remove_prefix(1), !number(last))) return std::nullopt;
  if (!s.empty() || range.first > (size_t{1} << 40)) return std::nullopt;
  range.count = range.first == 0 || last < range.first ? 0 : last - range.first + 1;
  return range;
}

bool is_stars(std::string_view line) {
  const size_t end = std::min(line.find_first_not_of('*'), line.size());
  return end >= 7 && (end == line.size() || line[end] == ' ');
}

bool begins_hunk(const ReplyLines& reply, size_t i) {
  return i + 1 < reply.size() && is_stars(reply.lines[i]) && range_of(reply.lines[i + 1], '*');
}

// The two header lines of a file, directly before a hunk.
bool is_context_header(const ReplyLines& reply, size_t i) {
  return i + 2 < reply.size() && reply.lines[i].starts_with("*** ") &&
         reply.lines[i + 1].starts_with("--- ") && begins_hunk(reply, i + 2);
}

class ContextReader {
 public:
  ContextReader(const ReplyLines& reply, size_t begin, std::optional<size_t> fence)
      : reply_(reply), at_(begin), fence_(fence) {}

  size_t at() const { return at_; }

  FailureOr<void> read(const std::string& default_path, EditPlan& plan) {
    const size_t header = at_;
    DiffNames names;
    if (is_context_header(reply_, at_)) {
      names.before = path_in_header(reply_.lines[at_].substr(4));
      names.after = path_in_header(reply_.lines[at_ + 1].substr(4));
      names.named = true;
      at_ += 2;
    }
    std::vector<Hunk> hunks;
    while (at_ < reply_.size() && begins_hunk(reply_, at_)) {
      auto hunk = read_hunk();
      if (!hunk) return std::unexpected(hunk.error());
      hunks.push_back(*std::move(hunk));
    }
    if (const std::string_view rest = at_ < reply_.size() ? reply_.lines[at_] : "";
        !rest.empty() && rest.find_first_not_of('*') == rest.npos &&
        (rest.size() > 3 || at_ + 1 == reply_.size())) {
      source_line_ = at_ + 1;
      return error(FailureKind::truncated, "has no ranges");
    }
    return add_diff(plan, names, std::move(hunks), default_path, header);
  }

 private:
  struct Side {
    Range range;
    std::vector<std::pair<char, std::string>> lines;  // ' ', '-', '+' or '!' and the text
    bool unended = false;                             // "\ No newline at end of file"
  };

  std::unexpected<Failure> error(FailureKind kind, std::string_view what) const {
    return failure(
        kind,
        "the hunk at line " + std::to_string(source_line_) + " of the edit " + std::string(what),
        "send the whole diff again");
  }

  bool ends_side(size_t i) const {
    const std::string_view s = reply_.lines[i];
    if (reply_.taken[i] || begins_hunk(reply_, i) || is_context_header(reply_, i)) return true;
    if (s.starts_with("diff ") || s.starts_with("Index: ") || range_of(s, '-')) return true;
    return fence_ && closes_fence(reply_.lines[*fence_], s);
  }

  // The lines below a range. `signs`: what a line of this side may begin with.
  Side read_side(Range range, std::string_view signs) {
    Side side{range, {}, false};
    size_t blank = 0;  // bare blank lines at the end, so far
    for (; at_ < reply_.size() && !ends_side(at_); ++at_) {
      const std::string_view s = reply_.lines[at_];
      if (s.starts_with('\\')) {
        side.unended = !side.lines.empty();
        continue;
      }
      const bool prefixed =
          !s.empty() && signs.find(s[0]) != signs.npos && (s.size() == 1 || s[1] == ' ');
      if (side.lines.size() >= range.count && !prefixed) break;
      blank = s.empty() ? blank + 1 : 0;
      if (prefixed) {
        side.lines.emplace_back(s[0], s.size() > 2 ? s.substr(2) : std::string_view());
      } else if (!s.empty() && s[0] != ' ' && signs.find(s[0]) != signs.npos) {
        side.lines.emplace_back(s[0], s.substr(1));  // "-x" for "- x"
      } else {
        side.lines.emplace_back(' ', s);  // its two columns are lost
      }
    }
    if (side.lines.size() == blank) side.lines.clear();  // lays the diff out
    return side;
  }

  FailureOr<Hunk> read_hunk() {
    source_line_ = at_ + 1;
    const Range old_range = *range_of(reply_.lines[++at_], '*');
    ++at_;
    Side before = read_side(old_range, " -!");
    if (at_ >= reply_.size() || !range_of(reply_.lines[at_], '-')) {
      return error(at_ >= reply_.size() || fence_ ? FailureKind::truncated : FailureKind::malformed,
                   "has no \"--- first,last ----\" line and no new side");
    }
    const Range new_range = *range_of(reply_.lines[at_++], '-');
    Side after = read_side(new_range, " +!");
    const bool at_end = at_ == reply_.size();
    const auto context_of = [](const Side& side) {
      std::vector<std::pair<char, std::string>> lines;
      for (const auto& line : side.lines) {
        if (line.first == ' ') lines.push_back(line);
      }
      return lines;
    };
    const auto changes = [](const Side& side) {
      for (const auto& line : side.lines) {
        if (line.first == '!') return true;
      }
      return false;
    };
    const bool no_after = after.lines.empty(), no_before = before.lines.empty();
    if (no_after) after.lines = context_of(before), after.unended = before.unended;
    if (no_before) before.lines = context_of(after);
    if (no_before && !before.lines.empty()) before.unended = after.unended;
    if (at_end && after.lines.size() < new_range.count) {
      return error(FailureKind::truncated, "stops before its end");
    }
    if (changes(before) != changes(after) || (no_before && no_after)) {
      return error(FailureKind::malformed, "has changed lines (!) on one side only");
    }
    return merged(before, after);
  }

  // Both sides walk along their common context.
  FailureOr<Hunk> merged(const Side& before, const Side& after) const {
    Hunk hunk;
    hunk.source_line = source_line_;
    hunk.line_hint = before.range.first == 0 ? 0 : before.range.first - 1;
    size_t i = 0, j = 0;
    bool alike = true;
    const auto &a = before.lines, &b = after.lines;
    while (alike && (i < a.size() || j < b.size())) {
      if (i < a.size() && a[i].first != ' ') {
        hunk.lines.push_back({Kind::removed, a[i++].second});
      } else if (j < b.size() && b[j].first != ' ') {
        hunk.lines.push_back({Kind::added, b[j++].second});
      } else {
        alike = i < a.size() && j < b.size() && a[i].second == b[j].second;
        if (alike) hunk.lines.push_back({Kind::context, a[i].second});
        ++i, ++j;
      }
    }
    if (!alike) {  // the signs are wrong: the texts say what changes, if none of them is lost
      if (at_ == reply_.size() && !reply_.ends_in_newline && !fence_)
        return error(FailureKind::truncated, "ends within a line");
      if (a.size() != before.range.count || b.size() != after.range.count)
        return error(FailureKind::malformed, "has different context lines on its two sides");
      std::vector<std::string> old_lines, new_lines;
      for (const auto& line : a) old_lines.push_back(line.second);
      for (const auto& line : b) new_lines.push_back(line.second);
      hunk.lines = lines_of_halves(old_lines, new_lines);
    }
    if (before.unended != after.unended) hunk.final_newline = before.unended;
    return hunk;
  }

  const ReplyLines& reply_;
  size_t at_;
  std::optional<size_t> fence_;
  size_t source_line_ = 0;
};

}  // namespace

bool is_left_over_context_diff(const ReplyLines& reply, size_t line) {
  const std::string_view s = trimmed(reply.lines[line]);
  return range_of(s, '*') || range_of(s, '-');
}

FailureOr<void> parse_context(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  std::optional<size_t> fence;  // open: it may hold several diffs
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view s = reply.lines[i];
    if (fence && closes_fence(reply.lines[*fence], s)) {
      fence.reset();
    } else if (!fence && fence_info(s)) {
      fence = i;
    }
    if (!is_context_header(reply, i) && !begins_hunk(reply, i)) continue;
    size_t begin = i;
    std::string path = path_above(reply, i, begin);
    if (path.empty()) path = options.default_path;
    ContextReader reader(reply, i, fence);
    if (auto done = reader.read(path, plan); !done) return done;
    size_t end = reader.at();
    if (fence) begin = std::min(begin, *fence);
    if (fence && end < reply.size() && closes_fence(reply.lines[*fence], reply.lines[end])) {
      ++end;
      fence.reset();
    }
    reply.take(begin, end);
    i = end - 1;
  }
  return {};
}

}  // namespace bodkin
