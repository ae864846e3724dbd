#include "edits/plan/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <dtl/dtl.hpp>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

constexpr size_t kMaxLines = 4000;  // dtl's time grows with the product of length and distance
constexpr int kMaxDepth = 8;        // of ranges between anchors within ranges between anchors

using Lines = std::span<const std::string_view>;

void append_small_diff(Lines before, Lines after, std::vector<Kind>& out) {
  std::unordered_map<std::string_view, int> numbers;
  const auto interned = [&](Lines lines) {
    std::vector<int> out_numbers;
    for (const std::string_view line : lines)
      out_numbers.push_back(
          numbers.try_emplace(line, static_cast<int>(numbers.size())).first->second);
    return out_numbers;
  };
  const std::vector<int> old_numbers = interned(before), new_numbers = interned(after);
  dtl::Diff<int> diff(old_numbers, new_numbers);
  diff.compose();
  std::vector<Kind> added;  // held back until the run's removed lines are out
  for (const auto& [element, info] : diff.getSes().getSequence()) {
    if (info.type == dtl::SES_ADD) {
      added.push_back(Kind::added);
    } else {
      if (info.type == dtl::SES_COMMON) {
        out.insert(out.end(), added.begin(), added.end());
        added.clear();
      }
      out.push_back(info.type == dtl::SES_COMMON ? Kind::context : Kind::removed);
    }
  }
  out.insert(out.end(), added.begin(), added.end());
}

// The lines that occur once on each side, in the longest common order: (before, after). They split
// a text that is too long to compare as a whole (the patience diff).
std::vector<std::pair<size_t, size_t>> anchors_of(Lines before, Lines after) {
  struct Seen {
    size_t before = 0, after = 0, old_index = 0, new_index = 0;
  };
  std::unordered_map<std::string_view, Seen> seen;
  for (size_t i = 0; i < before.size(); ++i) {
    Seen& line = seen[before[i]];
    ++line.before;
    line.old_index = i;
  }
  for (size_t j = 0; j < after.size(); ++j) {
    Seen& line = seen[after[j]];
    ++line.after;
    line.new_index = j;
  }
  struct Pair {
    size_t before, after, previous;
  };
  constexpr size_t kNone = static_cast<size_t>(-1);
  std::vector<Pair> pairs;
  std::vector<size_t>
      ends;  // of increasing sequences by their length, less 1: the smallest `after`
  for (size_t i = 0; i < before.size(); ++i) {
    const Seen& line = seen[before[i]];
    if (line.before != 1 || line.after != 1) continue;
    const auto at = std::ranges::lower_bound(ends, line.new_index, {},
                                             [&](size_t end) { return pairs[end].after; });
    pairs.push_back({i, line.new_index, at == ends.begin() ? kNone : *(at - 1)});
    if (at == ends.end())
      ends.push_back(pairs.size() - 1);
    else
      *at = pairs.size() - 1;
  }
  std::vector<std::pair<size_t, size_t>> anchors;
  for (size_t k = ends.empty() ? kNone : ends.back(); k != kNone; k = pairs[k].previous)
    anchors.emplace_back(pairs[k].before, pairs[k].after);
  std::ranges::reverse(anchors);
  return anchors;
}

// True if these few lines are all others: nothing is left to compare. Most hunks are such.
bool share_no_line(Lines before, Lines after) {
  constexpr size_t kFew = 100;  // pairs
  return before.size() * after.size() <= kFew &&
         std::ranges::none_of(before, [&](std::string_view line) {
           return std::ranges::find(after, line) != after.end();
         });
}

void append_diff(Lines before, Lines after, int depth, std::vector<Kind>& out) {
  size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail + head < before.size() && tail + head < after.size() &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  out.insert(out.end(), head, Kind::context);
  const Lines old_lines = before.subspan(head, before.size() - head - tail),
              new_lines = after.subspan(head, after.size() - head - tail);
  const bool is_long = old_lines.size() + new_lines.size() > kMaxLines;
  std::vector<std::pair<size_t, size_t>> anchors;
  if (is_long && depth < kMaxDepth) anchors = anchors_of(old_lines, new_lines);
  if (old_lines.empty() || new_lines.empty() || (is_long && anchors.empty())) {
    out.insert(out.end(), old_lines.size(), Kind::removed);
    out.insert(out.end(), new_lines.size(), Kind::added);
  } else if (is_long) {
    size_t i = 0, j = 0;
    for (const auto& [old_at, new_at] : anchors) {
      append_diff(old_lines.subspan(i, old_at - i), new_lines.subspan(j, new_at - j), depth + 1,
                  out);
      out.push_back(Kind::context);
      i = old_at + 1;
      j = new_at + 1;
    }
    append_diff(old_lines.subspan(i), new_lines.subspan(j), depth + 1, out);
  } else if (share_no_line(old_lines, new_lines)) {
    out.insert(out.end(), old_lines.size(), Kind::removed);
    out.insert(out.end(), new_lines.size(), Kind::added);
  } else {
    append_small_diff(old_lines, new_lines, out);
  }
  out.insert(out.end(), tail, Kind::context);
}

struct Change {  // these lines of the one side became those of the other
  size_t old_begin = 0, removed = 0;
  size_t new_begin = 0, added = 0;
};

std::vector<Change> changes_in(std::span<const Kind> kinds) {
  std::vector<Change> changes;
  size_t old_line = 0, new_line = 0;
  bool open = false;
  for (const Kind kind : kinds) {
    if (kind != Kind::context && !open) changes.push_back({old_line, 0, new_line, 0});
    open = kind != Kind::context;
    if (kind == Kind::removed) ++changes.back().removed;
    if (kind == Kind::added) ++changes.back().added;
    old_line += kind != Kind::added;
    new_line += kind != Kind::removed;
  }
  return changes;
}

// Whether lines that are only added, or only removed, may as well be `way` lines further up, or
// down: where those that they pass equal their own.
bool can_move(const Change& change, Lines before, Lines after, size_t way, bool up) {
  if (change.removed > 0 && change.added > 0) return false;
  const Lines lines = change.added > 0 ? after : before;
  const size_t begin = change.added > 0 ? change.new_begin : change.old_begin;
  const size_t first = up ? begin - way : begin;
  const size_t count = change.added + change.removed;
  return std::ranges::equal(lines.subspan(first, way), lines.subspan(first + count, way));
}

// Joins changes that touch once one of them is moved: else a person who takes them one by one is
// asked about "import math", and again about the blank line below it.
void join_changes(Lines before, Lines after, std::vector<Kind>& kinds) {
  std::vector<Change> changes = changes_in(kinds), joined;
  for (size_t i = 0; i < changes.size(); ++i) {
    Change& change = changes[i];
    Change* const last = joined.empty() ? nullptr : &joined.back();
    Change* const next = i + 1 < changes.size() ? &changes[i + 1] : nullptr;
    if (last &&
        can_move(change, before, after, change.old_begin - last->old_begin - last->removed, true)) {
      last->removed += change.removed;
      last->added += change.added;
    } else if (const size_t way = next ? next->old_begin - change.old_begin - change.removed : 0;
               next && can_move(change, before, after, way, false)) {
      *next = {change.old_begin + way, change.removed + next->removed, change.new_begin + way,
               change.added + next->added};
    } else {
      joined.push_back(change);
    }
  }
  if (joined.size() == changes.size()) return;
  kinds.clear();
  size_t old_line = 0;
  for (const Change& change : joined) {
    kinds.insert(kinds.end(), change.old_begin - old_line, Kind::context);
    kinds.insert(kinds.end(), change.removed, Kind::removed);
    kinds.insert(kinds.end(), change.added, Kind::added);
    old_line = change.old_begin + change.removed;
  }
  kinds.insert(kinds.end(), before.size() - old_line, Kind::context);
}

std::vector<std::string_view> lines_with_ends(std::string_view bytes) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    const size_t next = end == std::string_view::npos ? bytes.size() : end + 1;
    lines.push_back(bytes.substr(at, next - at));
    at = next;
  }
  return lines;
}

}  // namespace

std::vector<HunkLine::Kind> diff_of(std::span<const std::string_view> before,
                                    std::span<const std::string_view> after) {
  std::vector<Kind> out;
  out.reserve(before.size() + after.size());
  append_diff(before, after, 0, out);
  join_changes(before, after, out);
  return out;
}

std::vector<HunkLine> line_diff(std::vector<std::string> before, std::vector<std::string> after) {
  const std::vector<std::string_view> old_lines(before.begin(), before.end());
  const std::vector<std::string_view> new_lines(after.begin(), after.end());
  const std::vector<Kind> kinds = diff_of(old_lines, new_lines);
  std::vector<HunkLine> out;
  out.reserve(kinds.size());
  size_t i = 0, j = 0;
  for (const Kind kind : kinds) {
    if (kind == Kind::context) ++j;
    out.push_back({kind, std::move(kind == Kind::added ? after[j++] : before[i++])});
  }
  return out;
}

std::vector<Replacement> changed_lines(const Text& before, const Text& after) {
  const std::string old_bytes = before.str(), new_bytes = after.str();
  const auto old_lines = lines_with_ends(old_bytes), new_lines = lines_with_ends(new_bytes);
  std::vector<Replacement> out;
  size_t i = 0, j = 0, offset = 0;
  bool open = false;
  for (const Kind side : diff_of(old_lines, new_lines)) {
    if (side == Kind::context) {
      offset += old_lines[i++].size();
      ++j;
      open = false;
      continue;
    }
    if (!open) out.push_back({offset, 0, ""});
    open = true;
    if (side == Kind::removed) {
      out.back().length += old_lines[i].size();
      offset += old_lines[i++].size();
    } else {
      out.back().text += new_lines[j++];
    }
  }
  return out;
}

std::vector<LineChange> line_changes(const Text& before, const Text& after) {
  std::vector<LineChange> changes;
  size_t shift = 0;  // wraps around
  for (Replacement& edit : changed_lines(before, after)) {
    const size_t begin = edit.offset + shift;
    shift += edit.text.size() - edit.length;
    changes.push_back({std::move(edit), begin});
  }
  return changes;
}

ChangedFile change_between(std::string path, std::optional<Text> before,
                           std::optional<Text> after) {
  ChangedFile file{.path = std::move(path)};
  if (before && after) file.edits = changed_lines(*before, *after);
  file.before = std::move(before);
  file.after = std::move(after);
  return file;
}

std::string unified_diff(std::string_view old_path, std::string_view new_path, const Text* before,
                         const Text* after, size_t context) {
  const std::string old_bytes = before ? before->str() : "", new_bytes = after ? after->str() : "";
  if (before && after && old_bytes == new_bytes) return "";
  const auto old_lines = lines_with_ends(old_bytes), new_lines = lines_with_ends(new_bytes);
  const std::vector<Kind> sides = diff_of(old_lines, new_lines);
  std::string out =
      fmt::format("--- {}\n+++ {}\n", before ? fmt::format("a/{}", old_path) : "/dev/null",
                  after ? fmt::format("b/{}", new_path) : "/dev/null");
  const auto put = [&](char mark, std::string_view line) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  };
  std::vector<size_t> old_at(sides.size() + 1, 0), new_at(sides.size() + 1, 0);
  for (size_t k = 0; k < sides.size(); ++k) {
    old_at[k + 1] = old_at[k] + (sides[k] != Kind::added);
    new_at[k + 1] = new_at[k] + (sides[k] != Kind::removed);
  }
  for (size_t k = 0; k < sides.size();) {
    if (sides[k] == Kind::context) {
      ++k;
      continue;
    }
    const size_t begin = k > context ? k - context : 0;
    size_t end = k, quiet = 0;  // the end of the last change of this hunk
    for (size_t m = k; m < sides.size() && quiet <= 2 * context; ++m) {
      quiet = sides[m] == Kind::context ? quiet + 1 : 0;
      if (quiet == 0) end = m + 1;
    }
    const size_t last = std::min(sides.size(), end + context);
    const size_t old_count = old_at[last] - old_at[begin], new_count = new_at[last] - new_at[begin];
    out += fmt::format("@@ -{},{} +{},{} @@\n", old_at[begin] + (old_count > 0), old_count,
                       new_at[begin] + (new_count > 0), new_count);
    for (size_t m = begin; m < last; ++m) {
      if (sides[m] == Kind::added) {
        put('+', new_lines[new_at[m]]);
      } else {
        put(sides[m] == Kind::context ? ' ' : '-', old_lines[old_at[m]]);
      }
    }
    k = last;
  }
  return out;
}

}  // namespace bodkin
