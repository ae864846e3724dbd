#include "edits/place/evidence.h"

#include <algorithm>
#include <cctype>

#include "edits/place/anchor_search.h"
#include "edits/place/section_heads.h"
#include "edits/place/sections.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

// Every part of the file that the anchors may name.
std::vector<LineRange> ranges_of_anchors(const MappedText& file,
                                         const std::vector<std::string>& anchors) {
  constexpr size_t kMax = 64;
  std::vector<LineRange> ranges = {{0, file.line_count()}};
  for (const std::string& anchor : anchors) {
    std::vector<LineRange> inner;
    for (const LineRange& range : ranges) {
      if (!file.spend((range.end - range.begin) * 4)) return {};
      for (size_t line : lines_of_anchor(file, anchor, range)) {
        line = begin_of_head(file, line);
        if (inner.size() == kMax) return {};
        const LineRange found = section_of(file, line, range.end);
        if (std::find(inner.begin(), inner.end(), found) == inner.end()) inner.push_back(found);
      }
    }
    ranges = std::move(inner);
  }
  return ranges;
}

// Behind a section, blank lines and comments, and what begins there, are in no other.
size_t end_with_gap(const MappedText& file, const LineRange& section, size_t limit) {
  size_t end = section.end;
  const auto is_gap = [](std::string_view line) {
    line = trimmed(line);
    return !has_word(line) || is_comment(line) || line.starts_with('@') || line.starts_with("#[");
  };
  while (end < limit && is_gap(file.line(end)) && !heads_flat_section(file, end)) ++end;
  return end + 1;
}

// Where the body below an anchor's line begins, if what is added fits there.
std::optional<size_t> line_below(const MappedText& file, size_t head, const Hunk& hunk) {
  constexpr size_t kLongest = 2000;  // bytes of a head
  const std::string_view line = file.line(head), text = trimmed(line);
  if (text.size() > kLongest || open_brackets(text) > 0 || lines_of_head(file, head) > 1 ||
      text.starts_with('@') || text.starts_with("#[") || text.ends_with(',') ||
      text.ends_with('\\') || text.ends_with('='))
    return std::nullopt;
  size_t below = head + 1;
  const bool brace = below < file.line_count() && trimmed(file.line(below)) == "{";
  if (brace) ++below;
  const bool opens = brace || ends_in_opener(text) || is_deeper_below(file, head);
  size_t first = below;
  while (first < file.line_count() && is_blank(file.line(first))) ++first;
  if (opens && first < file.line_count())
    for (const std::string_view sign : {"\"\"\"", "'''", "r\"\"\""})
      if (trimmed(file.line(first)).starts_with(sign))
        return std::nullopt;  // a docstring comes first
  for (const HunkLine& added : hunk.lines) {
    if (is_blank(added.text)) continue;
    const size_t depth = indentation_of(added.text).size(), own = indentation_of(line).size();
    if (opens ? depth <= own : depth != own) return std::nullopt;
    break;
  }
  return below;
}

// The only place whose line above (blank lines aside) is the anchor; else, if the anchor is
// only once, the only place after it.
std::optional<size_t> only_place_after_anchor(const MappedText& file, const std::string& anchor,
                                              const std::vector<Place>& places) {
  const std::string_view wanted = trimmed(anchor);
  std::optional<size_t> only;
  size_t adjacent = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    size_t above = places[i].first;
    while (above > 0 && is_blank(file.line(above - 1))) --above;
    if (above > 0 && trimmed(file.line(above - 1)) == wanted) only = i, ++adjacent;
  }
  if (adjacent > 0) return adjacent == 1 ? only : std::nullopt;
  std::optional<size_t> at;
  for (size_t i = 0; i < file.line_count(); ++i) {
    if (trimmed(file.line(i)) != wanted) continue;
    if (at) return std::nullopt;
    at = i;
  }
  return at ? only_within(places, *at, file.line_count()) : std::nullopt;
}

constexpr size_t kNear = 20;  // lines: a number that is further off says nothing

// The nearest place, if it is near and the second is at least twice as far.
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
  if (nearest <= kNear && second > 0 && second / 2 >= nearest) return chosen;
  return std::nullopt;
}

}  // namespace

std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  const std::vector<LineRange> ranges = ranges_of_anchors(file, anchors);
  return ranges.size() == 1 ? std::optional(ranges[0]) : std::nullopt;
}

std::optional<LineRange> range_of_heading(const MappedText& file, const std::string& heading) {
  if (const auto range = range_of_anchors(file, {heading})) return range;
  // git cuts a heading at 80 bytes.
  std::optional<size_t> only;
  const std::string_view wanted = trimmed(heading);
  if (wanted.size() < 40 || !file.spend(file.line_count())) return std::nullopt;
  for (size_t i = 0; i < file.line_count(); ++i) {
    if (!trimmed(file.line(i)).starts_with(wanted)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  if (!only) return std::nullopt;
  return section_of(file, *only, file.line_count());
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

// Decides: which of several equal places is meant.
std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection) {
  if (!file.spend(places.size())) return std::nullopt;
  if (!hunk.anchors.empty()) {
    if (const auto range = range_of_anchors(file, hunk.anchors))
      if (const auto only = only_within(places, range->begin, range->end)) return only;
    if (const auto only = only_place_after_anchor(file, hunk.anchors.back(), places)) return only;
  }
  if (hunk.at_end_of_file)
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i].last == file.line_count()) return i;
  if (hunk.line_hint || !hunk.heading.empty()) {
    const auto nearest = hunk.line_hint ? nearest_to(*hunk.line_hint, places) : std::nullopt;
    if (nearest && places[*nearest].first == *hunk.line_hint) return nearest;
    // A number that is off is believed unless the heading names another place.
    const auto range = hunk.heading.empty() ? std::nullopt : range_of_heading(file, hunk.heading);
    const auto below = range ? only_within(places, range->begin, range->end) : std::nullopt;
    if (nearest && below && *nearest != *below) return std::nullopt;
    const auto selected =
        selection ? only_within(places, selection->begin, selection->end) : std::nullopt;
    if (selected && (nearest || below) && *selected != (nearest ? *nearest : *below))
      return std::nullopt;
    if (nearest || below) return nearest ? nearest : below;
  }
  if (selection) return only_within(places, selection->begin, selection->end);
  return std::nullopt;
}

bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.anchors.empty()) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, hunk.anchors);
  return std::none_of(ranges.begin(), ranges.end(), [&](const LineRange& range) {
    return range.begin < place.last && place.first < end_with_gap(file, range, place.first);
  });
}

bool heading_contradicts(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.heading.empty() || !hunk.line_hint) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, {hunk.heading});
  const auto holds_hint = [&](const LineRange& range) {
    return range.begin <= *hunk.line_hint && *hunk.line_hint < range.end;
  };
  return std::any_of(ranges.begin(), ranges.end(), holds_hint) &&
         std::none_of(ranges.begin(), ranges.end(), [&](const LineRange& range) {
           return range.begin < place.last && place.first < end_with_gap(file, range, place.first);
         });
}

std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk) {
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    return range ? line_below(file, range->begin, hunk) : std::nullopt;
  }
  if (hunk.at_end_of_file || file.line_count() == 0) return file.line_count();
  if (hunk.line_hint && *hunk.line_hint <= file.line_count()) return hunk.line_hint;
  return std::nullopt;
}

}  // namespace bodkin
