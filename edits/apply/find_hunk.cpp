#include "edits/apply/find_hunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edits/align/depth_price.h"
#include "edits/align/weigh.h"
#include "edits/align/wrapped.h"
#include "edits/place/parts_of_lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

// The lines of both halves that are not written as a divider is: the fewer, the longer the rulers
// that were read as one.
size_t count_without_dividers(const Hunk& hunk) {
  size_t count = 0;
  for (const HunkLine& line : hunk.lines)
    if (line.text != "=======") count += line.kind == Kind::context ? 2 : 1;
  return count;
}

std::vector<Place> parts_of(const MappedText& file, const Hunk& hunk) {
  std::vector<Place> places = find_in_bytes(file, hunk);
  if (places.size() != 1 || !places[0].within_lines) return places;
  // All of some lines but the indentation of the first: lines.
  const Place& only = places[0];
  const size_t begin = file.begin_of(only.first);
  if (only.last > only.first + 1 && only.offset + only.length == file.end_of(only.last - 1) &&
      is_blank(file.bytes().substr(begin, only.offset - begin)))
    return {};
  return places;
}

// The places where a quote of several lines is found byte for byte after the end of a block: it was
// once appended to a file whose last line was not ended.
std::vector<Place> glued_places(const MappedText& file, const Hunk& hunk) {
  constexpr size_t kSeveral = 3;
  const std::vector<std::string_view> old = old_side(hunk);
  if (old.size() < kSeveral || is_blank(old[0])) return {};
  std::vector<Place> places = find_in_bytes(file, hunk);
  std::erase_if(places, [&](const Place& place) {
    const size_t begin = file.begin_of(place.first);
    return !place.within_lines || place.offset + place.length != file.end_of(place.last - 1) ||
           !only_ends_block(trimmed(file.bytes().substr(begin, place.offset - begin)));
  });
  return places;
}

// A string replacement as whole lines; null if it is not one.
std::shared_ptr<const Hunk> whole_lines_of(const Hunk& hunk) {
  if (!hunk.as<StringReplacement>()) return nullptr;
  const auto is_edge = [](const HunkLine& line) {
    return line.kind == Kind::context && line.text.empty();
  };
  auto out = std::make_shared<Hunk>(hunk);
  out->format = SearchReplace{};
  if (!out->lines.empty() && is_edge(out->lines.back())) out->lines.pop_back();
  if (!out->lines.empty() && is_edge(out->lines.front())) out->lines.erase(out->lines.begin());
  return old_side(*out).empty() ? nullptr : out;
}

// The places of a hunk: all for a part of lines, else those within the margin. The new side is
// asked only if the old side is not exact: the old lines of a block that was applied already are
// nowhere, or only in a similar place, and it must not be applied to that sibling.
Placed places_of(const MappedText& file, const Hunk& hunk,
                 const std::optional<LineRange>& selection, bool is_only_reading,
                 HunkReport& report) {
  Placed out{.hunk = &hunk};
  if (old_side(hunk).empty()) return out;
  if (hunk.as<StringReplacement>()) out.places = parts_of(file, hunk);
  if (!out.places.empty()) return out;
  out.lines = whole_lines_of(hunk);
  Alignments priced = priced_places(file, out.lines ? *out.lines : hunk, selection);
  if (priced.all.empty() && !priced.contradicted && !priced.gave_up)
    if (auto wrapped = wrapped_as_in(file, out.lines ? *out.lines : hunk)) {
      out.lines = std::move(wrapped);
      out.is_wrapped = true;
      priced = priced_places(file, *out.lines, selection);
    }
  const Hunk& read = out.lines ? *out.lines : hunk;
  const auto other = std::ranges::find_if_not(
      priced.all, [&](const Alignment& one) { return priced.all[0].overlaps(one); });
  if (other != priced.all.end())
    out.next = *other;
  else
    out.next = priced.contradicted;
  out.has_too_many = priced.gave_up;
  if (priced.gave_up) return out;
  std::vector<Alignment> best = within_margin(std::move(priced.all));
  if (best.size() == 1 && best[0].is_exact && is_added_already(file, best[0])) {
    report.state = State::already_applied;
    return out;
  }
  const bool is_exact = !best.empty() && best[0].price == 0;
  if (!is_exact && is_only_reading) {
    const NewSide side = new_side_in(file, read, best.empty() ? nullptr : &best[0]);
    if (side == NewSide::proven || (side == NewSide::there && best.empty()))
      report.state = State::already_applied;
    if (side == NewSide::there || side == NewSide::elsewhere)
      report.feedback =
          "Its new text seems to be in the file already: if so, omit the hunk; if not, quote "
          "more lines exactly.\n";
    if (side != NewSide::absent) return out;
  }
  if (best.empty() && !hunk.as<StringReplacement>()) {
    out.places = glued_places(file, hunk);
    if (out.places.size() == 1) return out;
    out.places.clear();
  }
  if (best.empty()) out.contradicted = std::move(priced.contradicted);
  std::ranges::sort(best, {}, &Alignment::first);
  for (const Alignment& one : best) {
    Place& place = out.places.emplace_back();
    place.first = one.first, place.last = one.last;
    place.offset = file.begin_of(one.first);
    place.length = file.begin_of(one.last) - place.offset;
  }
  out.aligned = std::move(best);
  return out;
}

}  // namespace

Placed find_hunk(const MappedText& file, const std::string& path, const Hunk& hunk,
                 const std::optional<LineRange>& selection, HunkReport& report) {
  const SearchReplace* const block = hunk.as<SearchReplace>();
  if (!block || block->alternatives.empty()) return places_of(file, hunk, selection, true, report);
  size_t most_lines = count_without_dividers(hunk);
  for (const Hunk& reading : block->alternatives)
    most_lines = std::max(most_lines, count_without_dividers(reading));
  // A long ruler in the content is not a divider if a plain one follows.
  const auto is_misread_ruler = [&](const Hunk& reading) {
    return count_without_dividers(reading) < most_lines;
  };
  Placed found{.hunk = &hunk};
  if (!is_misread_ruler(hunk)) found = places_of(file, hunk, selection, false, report);
  const bool is_middle = block->alternatives.size() % 2 == 0 && !found.places.empty();
  bool tie = false;
  for (const Hunk& reading : block->alternatives) {
    if (is_misread_ruler(reading)) continue;
    if (is_middle && old_side(reading).size() < old_side(hunk).size()) continue;
    Placed other = places_of(file, reading, selection, false, report);
    if (other.places.empty()) continue;
    tie |= !found.places.empty();
    found = std::move(other);
  }
  if (tie)
    report.failure = {FailureKind::ambiguous,
                      fmt::format("it can be parsed in two ways that both match {}", path),
                      "rewrite the markers so that it is unambiguous", true};
  return found;
}

}  // namespace bodkin
