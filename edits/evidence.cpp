#include "edits/evidence.h"

#include <algorithm>

namespace bodkin {
namespace {

// The only line in the range that is the anchor; if none is, the only one that holds it.
std::optional<size_t> line_of_anchor(const MappedText& file, std::string_view anchor,
                                     const LineRange& range) {
  const std::string_view wanted = stripped(anchor);
  if (wanted.empty()) return std::nullopt;
  for (const bool whole : {true, false}) {
    std::optional<size_t> only;
    for (size_t i = range.begin; i < range.end; ++i) {
      const std::string_view line = stripped(file.line(i));
      if (whole ? line != wanted : line.find(wanted) == std::string_view::npos) continue;
      if (only) return std::nullopt;
      only = i;
    }
    if (only) return only;
  }
  return std::nullopt;
}

size_t end_of_block(const MappedText& file, size_t head, size_t limit) {
  const size_t depth = indentation_of(file.line(head)).size();
  size_t end = head + 1;
  for (size_t i = head + 1; i < limit; ++i) {
    const std::string_view text = stripped(file.line(i));
    if (text.empty()) continue;
    if (indentation_of(file.line(i)).size() <= depth &&
        std::string_view("})]{:").find(text.front()) == std::string_view::npos)
      break;
    end = i + 1;
  }
  return end;
}

// The only place whose line above (blank lines aside) is the anchor; else, if the anchor stands
// only once, the only place behind it.
std::optional<size_t> only_behind_anchor(const MappedText& file, const std::string& anchor,
                                         const std::vector<Place>& places) {
  const std::string_view wanted = stripped(anchor);
  std::optional<size_t> only;
  size_t adjacent = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    size_t above = places[i].first;
    while (above > 0 && is_blank(file.line(above - 1))) --above;
    if (above > 0 && stripped(file.line(above - 1)) == wanted) only = i, ++adjacent;
  }
  if (adjacent > 0) return adjacent == 1 ? only : std::nullopt;
  std::optional<size_t> at;
  for (size_t i = 0; i < file.line_count(); ++i) {
    if (stripped(file.line(i)) != wanted) continue;
    if (at) return std::nullopt;
    at = i;
  }
  return at ? only_within(places, *at, file.line_count()) : std::nullopt;
}

// The nearest place, if the second is at least twice as far.
std::optional<size_t> nearest_to(size_t hint, const std::vector<Place>& places) {
  constexpr size_t kFar = static_cast<size_t>(-1);
  size_t nearest = kFar, second = kFar, chosen = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t first = places[i].first;
    const size_t distance = first > hint ? first - hint : hint - first;
    if (distance < nearest) {
      second = nearest;
      nearest = distance;
      chosen = i;
    } else {
      second = std::min(second, distance);
    }
  }
  if (second > 0 && second / 2 >= nearest) return chosen;
  return std::nullopt;
}

}  // namespace

std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  LineRange range{0, file.line_count()};
  for (const std::string& anchor : anchors) {
    if (!file.spend(range.end - range.begin)) return std::nullopt;
    const std::optional<size_t> line = line_of_anchor(file, anchor, range);
    if (!line) return std::nullopt;
    range = {*line, end_of_block(file, *line, range.end)};
  }
  return range;
}

std::optional<size_t> only_within(const std::vector<Place>& places, size_t begin, size_t end) {
  std::optional<size_t> only;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].first < begin || places[i].last > end) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection) {
  if (!file.spend(places.size())) return std::nullopt;
  if (!hunk.anchors.empty()) {
    if (const auto range = range_of_anchors(file, hunk.anchors))
      if (const auto only = only_within(places, range->begin, range->end)) return only;
    if (const auto only = only_behind_anchor(file, hunk.anchors.back(), places)) return only;
  }
  if (hunk.at_end_of_file)
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i].last == file.line_count()) return i;
  if (hunk.line_hint || !hunk.heading.empty()) {
    const auto nearest = hunk.line_hint ? nearest_to(*hunk.line_hint, places) : std::nullopt;
    if (nearest && places[*nearest].first == *hunk.line_hint) return nearest;
    // A number that is off is believed unless the heading names another place.
    const auto range = range_of_anchors(file, {hunk.heading});
    const auto below = range ? only_within(places, range->begin, range->end) : std::nullopt;
    if (nearest && below && *nearest != *below) return std::nullopt;
    if (nearest || below) return nearest ? nearest : below;
  }
  if (selection) return only_within(places, selection->begin, selection->end);
  return std::nullopt;
}

bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.anchors.empty()) return false;
  const auto range = range_of_anchors(file, hunk.anchors);
  return range && place.last <= range->begin;
}

std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk) {
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    if (!range) return std::nullopt;
    return range->begin + 1;
  }
  if (hunk.at_end_of_file || file.line_count() == 0) return file.line_count();
  if (hunk.line_hint && *hunk.line_hint <= file.line_count()) return *hunk.line_hint;
  return std::nullopt;
}

}  // namespace bodkin
