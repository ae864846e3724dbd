#include "edits/place/evidence.h"

#include <algorithm>
#include <cctype>

#include "edits/place/anchor_search.h"
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
  const bool opens = brace || ends_in_opener(text);
  if (!opens && is_deeper_below(file, head)) return std::nullopt;  // the head may go on
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
