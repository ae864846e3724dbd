#include "edits/place/match.h"

#include <algorithm>
#include <numeric>

#include "edits/place/parts_of_lines.h"

namespace bodkin {
namespace {

std::vector<std::string_view> side(const Hunk& hunk, HunkLine::Kind without) {
  std::vector<std::string_view> lines;
  lines.reserve(hunk.lines.size());
  for (const HunkLine& line : hunk.lines)
    if (line.kind != without) lines.push_back(line.text);
  return lines;
}

}  // namespace

std::vector<std::string_view> old_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::added);
}

std::vector<std::string_view> new_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::removed);
}

Place place_at(const MappedText& file, size_t first, size_t count) {
  Place place;
  place.first = first;
  place.last = first + count;
  place.offset = file.begin_of(first);
  place.length = file.begin_of(first + count) - place.offset;
  return place;
}

std::vector<Place> find_lines(const MappedText& file, std::span<const std::string_view> lines) {
  constexpr size_t kMaxHits = 64;
  std::vector<Place> places;
  if (lines.empty() || lines.size() > file.line_count() || !file.spend(file.cost_of_search()))
    return places;
  const size_t longest = static_cast<size_t>(
      std::ranges::max_element(lines, {},
                               [](std::string_view line) { return trimmed(line).size(); }) -
      lines.begin());
  std::vector<size_t> hits;
  if (is_blank(lines[longest]) || !file.lines_with(trimmed(lines[longest]), kMaxHits, hits)) {
    hits.resize(file.line_count());
    std::iota(hits.begin(), hits.end(), size_t{0});
  }
  for (const size_t hit : hits) {
    if (hit < longest || hit - longest + lines.size() > file.line_count()) continue;
    size_t equal = 0;
    while (equal < lines.size() && file.line(hit - longest + equal) == lines[equal]) ++equal;
    if (!file.spend(10 * (equal + 1))) return {};
    if (equal == lines.size()) places.push_back(place_at(file, hit - longest, lines.size()));
  }
  return places;
}

}  // namespace bodkin
