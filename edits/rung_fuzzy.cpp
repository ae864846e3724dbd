// The rung "fuzzy": the file moved on by a token or two in what is kept. What is removed must be
// the very lines, and no other part of the file may be nearly as much like the quote.
#include <algorithm>

#include "edits/rungs.h"
#include "edits/tokens.h"
#include "edits/windows.h"

namespace bodkin {
namespace {

constexpr size_t kMostDiffering = 2;  // lines, and tokens in each
constexpr double kRunnerUp = 0.7;     // a second place as much alike as this makes it a guess

struct Comparison {
  double share = 0;  // of the old lines that are not blank: how many are equal
  bool allowed = true;
  bool alike = true;  // every line is equal or, a token or two aside, could be
};

bool could_be(std::string_view line, std::string_view ours) {
  const size_t distance = token_distance(line, ours);
  return distance <= kMostDiffering && distance < tokens_of(line).size();
}

Comparison compared(const Search& search, size_t first) {
  Comparison out;
  size_t i = 0, equal = 0, solid = 0, differing = 0;
  for (const HunkLine& line : search.hunk.lines) {
    if (line.kind == HunkLine::Kind::added) continue;
    const std::string_view ours = search.file.line(first + i++);
    const bool blank = is_blank(line.text);
    solid += !blank;
    if (same_under(whitespace_key, line.text, ours)) {
      equal += !blank;
      continue;
    }
    ++differing;
    out.alike = out.alike && !blank && !is_blank(ours) && could_be(line.text, ours);
    if (!out.allowed || differing > kMostDiffering) {
      out.allowed = false;
    } else if (line.kind == HunkLine::Kind::removed || blank || is_blank(ours) ||
               token_distance(line.text, ours) > kMostDiffering ||
               declare_different_names(ours, line.text)) {
      out.allowed = false;
    }
  }
  if (solid > 0) out.share = static_cast<double>(equal) / static_cast<double>(solid);
  return out;
}

// A pure insertion hangs on the lines next to it: those must be the very ones.
bool hangs_on_equal_lines(const Search& search, size_t first) {
  const std::vector<HunkLine>& lines = search.hunk.lines;
  size_t i = 0;
  for (size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].kind == HunkLine::Kind::removed) return true;
    if (lines[k].kind == HunkLine::Kind::context) {
      ++i;
      continue;
    }
    const auto same = [&](size_t old) {
      return same_under(whitespace_key, search.old[old], search.file.line(first + old));
    };
    if ((i > 0 && !same(i - 1)) || (i < search.old.size() && !same(i))) return false;
  }
  return true;
}

}  // namespace

std::vector<Place> find_fuzzy(const Search& search) {
  const size_t count = search.old.size();
  if (count < 3 || count > search.file.line_count()) return {};
  std::optional<size_t> best;
  double best_share = 0, second_share = 0;
  size_t alike = 0;
  for (const Window& window : likely_windows(search)) {
    if (window.first < 0) continue;
    const size_t first = static_cast<size_t>(window.first);
    if (first + count > search.file.line_count() || !search.file.spend(count * 16)) continue;
    const Comparison found = compared(search, first);
    alike += found.alike;
    if (found.allowed && found.share > best_share) {
      second_share = std::max(second_share, best_share);
      best_share = found.share;
      best = first;
    } else {
      second_share = std::max(second_share, found.share);
    }
  }
  // One of several of a kind (tests, entries, cases) is told from the others by just such a token.
  if (alike > 1) return {};
  if (!best || best_share < 0.5 || second_share > kRunnerUp || second_share >= best_share)
    return {};
  if (!hangs_on_equal_lines(search, *best)) return {};
  Place place = place_at(search.file, *best, count);
  place.similarity = best_share;
  return {place};
}

}  // namespace bodkin
