#include "edits/place/already_applied.h"

#include <algorithm>
#include <optional>

#include "edits/place/evidence.h"
#include "edits/place/frame.h"
#include "edits/place/rungs.h"
#include "edits/place/sections.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

// The hunk that takes the change back: its old side is the new side.
Hunk inverse(const Hunk& hunk) {
  Hunk out;
  out.within_lines = hunk.within_lines;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != Kind::removed)
      out.lines.push_back({line.kind == Kind::added ? Kind::removed : Kind::context, line.text});
  return out;
}

struct Weight {
  size_t lines = 0, bytes = 0;  // of the new side, white space aside
  size_t longest_added = 0;
  bool removes = false;
};

// `any_ends`: blanks at the end of a line make no difference, so a line that is removed and added
// with others there is a kept one.
Weight weight_of(const Hunk& hunk, bool any_ends) {
  Weight weight;
  const auto comes_and_goes = [&](const HunkLine& line) {
    return any_ends && std::ranges::any_of(hunk.lines, [&](const HunkLine& other) {
             return other.kind != line.kind && other.kind != Kind::context &&
                    trimmed_right(other.text) == trimmed_right(line.text);
           });
  };
  for (const HunkLine& line : hunk.lines) {
    const size_t size = trimmed(line.text).size();
    const bool is_kept = line.kind == Kind::context || comes_and_goes(line);
    if (line.kind == Kind::removed) {
      weight.removes |= !is_kept;
      continue;
    }
    weight.lines += size > 0;
    weight.bytes += size;
    if (!is_kept) weight.longest_added = std::max(weight.longest_added, size);
  }
  return weight;
}

bool has_place_at(const std::vector<Place>& places, size_t line) {
  return std::any_of(places.begin(), places.end(),
                     [&](const Place& place) { return place.first == line; });
}

bool covers(const std::vector<Place>& places, const Place& inner) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.offset <= inner.offset &&
           place.offset + place.length >= inner.offset + inner.length;
  });
}

// Each is a part of a place of the old side that has further lines: those are still to be removed.
bool are_parts_of(const std::vector<Place>& made, const std::vector<Place>& places) {
  return std::all_of(made.begin(), made.end(), [&](const Place& part) {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return place.first <= part.first && part.last <= place.last &&
             place.last - place.first > part.last - part.first;
    });
  });
}

bool overlaps(const std::vector<Place>& places, const Place& other) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.first < other.last && other.first < place.last;
  });
}

// The kept line that heads the section of data which the line is in: on the outermost level, and
// there once in a file that is one document. Nothing: the place does not reach up to it.
std::optional<size_t> head_of_data(const MappedText& file, const Place& made, size_t line) {
  size_t depth = indentation_of(file.line(line)).size();
  for (size_t i = line; i-- > made.first;) {
    const std::string_view text = file.line(i);
    const bool flat = depth == 0 && heads_flat_section(file, i);
    if (is_blank(text) || (!flat && indentation_of(text).size() >= depth)) continue;
    depth = indentation_of(text).size();
    if (depth > 0) continue;
    const bool is_head = flat || ends_in_opener(text) || trimmed(text).starts_with('<');
    std::vector<size_t> found;
    return is_head && has_word(text) && file.lines_with(trimmed(text), 2, found) &&
                   found.size() == 1
               ? std::optional(i)
               : std::nullopt;
  }
  return std::nullopt;
}

// True if what the change adds is a section, or is in one, that the quote names and the file has
// once.
bool is_named(const MappedText& file, const Hunk& hunk, const Place& made) {
  if (!file.spend(file.cost_of_search())) return false;
  const Frame frame(file, made.first, made.last);
  std::vector<size_t> documents;
  const bool is_one_document = file.lines_with("---", 1, documents) && documents.empty();
  std::vector<size_t> added;  // of the new side
  size_t now = 0;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind == Kind::added && has_word(line.text)) added.push_back(now);
    now += line.kind != Kind::removed;
  }
  // The last line end of a string replacement is not a line.
  const size_t count = made.last - made.first;
  return (now == count || (made.hunk && now == count + 1)) && !added.empty() &&
         std::ranges::all_of(added, [&](size_t i) {
           if (frame.name_of(i)) return true;
           const auto head =
               is_one_document ? head_of_data(file, made, made.first + i) : std::optional<size_t>();
           return head && std::ranges::find(added, *head - made.first) == added.end();
         });
}

// True if a line that the hunk removes at its edge is still there, next to the new text. The hunk
// adds lines.
bool is_left_over(const MappedText& file, const Hunk& hunk, const Place& made) {
  const std::vector<HunkLine>& lines = hunk.lines;
  size_t above = 0, below = lines.size();
  while (lines[above].kind == Kind::removed) ++above;
  while (lines[below - 1].kind == Kind::removed) --below;
  const auto stands = [&](size_t line, const HunkLine& removed) {
    return !is_blank(removed.text) && trimmed(file.line(line)) == trimmed(removed.text);
  };
  return (above > 0 && made.first > 0 && stands(made.first - 1, lines[above - 1])) ||
         (below < lines.size() && made.last < file.line_count() && stands(made.last, lines[below]));
}

// True if the new text is where the old one would have been.
bool is_at_expected_place(const MappedText& file, const Hunk& hunk,
                          const std::vector<Place>& made) {
  const auto inside = [&](const LineRange& range) {
    return only_within(made, range.begin, range.end).has_value();
  };
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    return range && inside(*range);
  }
  if (!hunk.heading.empty())
    if (const auto range = range_of_heading(file, hunk.heading)) return inside(*range);
  const bool quotes_more = std::any_of(
      hunk.lines.begin(), hunk.lines.end(),
      [](const HunkLine& line) { return line.kind == Kind::context && has_word(line.text); });
  if (quotes_more && hunk.line_hint && has_place_at(made, *hunk.line_hint)) return true;
  if (hunk.at_end_of_file && made.back().last == file.line_count()) return true;
  return made.size() == 1 && is_named(file, hunk, made[0]);
}

// The old side is exactly where the edit says. It may still be part of the new text: an addition
// is made if its lines are already beside the kept ones, above or below.
NewText check_exact_places(const MappedText& file, const Hunk& hunk, const Weight& weight,
                           const std::vector<Place>& places) {
  const bool adds_much = weight.longest_added >= 8 && !weight.removes;
  const bool part_of_line = places[0].within_lines;
  const bool elsewhere = hunk.line_hint && !has_place_at(places, *hunk.line_hint);
  if (weight.longest_added == 0 || hunk.all_places || places.size() > 64 ||
      !(adds_much || elsewhere || part_of_line))
    return NewText::absent;
  const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::punctuation);
  if (adds_much && places.size() == 1 &&
      (has_place_at(made, places[0].first) || (!part_of_line && covers(made, places[0]))))
    return NewText::there;
  if (part_of_line && places.size() == 1 && covers(made, places[0]))
    return NewText::possibly_present;
  if (!elsewhere || !has_place_at(made, *hunk.line_hint)) return NewText::absent;
  return weight.lines >= 2 ? NewText::there : NewText::possibly_present;
}

}  // namespace

// Decides: whether a change is already in place.
NewText find_new_text(const MappedText& file, const Hunk& written,
                      const std::vector<Place>& places) {
  const bool reread =
      !places.empty() && places[0].quality == MatchQuality::cosmetic && places[0].hunk;
  const Hunk& hunk = reread ? *places[0].hunk : written;
  const Weight weight =
      weight_of(hunk, !places.empty() && (places[0].quality == MatchQuality::trailing_space ||
                                          places[0].quality == MatchQuality::punctuation));
  const bool exact = !places.empty() && places[0].quality <= MatchQuality::punctuation;
  if (exact) return check_exact_places(file, hunk, weight, places);
  const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::trailing_space);
  const bool says_enough = weight.lines >= 2 || weight.bytes >= 10;
  if (!made.empty() && weight.longest_added > 0) {
    if (!places.empty() && (!says_enough || are_parts_of(made, places))) return NewText::absent;
    const bool is_part = std::any_of(made.begin(), made.end(), [&](const Place& place) {
      return is_left_over(file, hunk, place);
    });
    return !is_part && is_at_expected_place(file, hunk, made) ? NewText::there
                                                              : NewText::possibly_present;
  }
  if (places.empty() || weight.lines < 2 || weight.bytes < 20) return NewText::absent;
  // What only removes lines leaves nothing behind that is its own: the lines around them must be
  // together somewhere else.
  const bool adds = weight.longest_added > 0;
  const MatchQuality loosest =
      adds ? places[0].quality : std::min(places[0].quality, MatchQuality::whitespace);
  const Hunk made_hunk = inverse(hunk);
  if (adds && places[0].quality == MatchQuality::elision &&
      may_match_elided({file, made_hunk, old_side(made_hunk)}))
    return NewText::possibly_present;
  for (const Place& place : find_places(file, made_hunk, loosest))
    if (adds || !overlaps(places, place)) return NewText::possibly_present;
  return NewText::absent;
}

}  // namespace bodkin
