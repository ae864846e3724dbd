#include "edits/already_applied.h"

#include <algorithm>

#include "edits/rungs.h"

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

Weight weight_of(const Hunk& hunk) {
  Weight weight;
  for (const HunkLine& line : hunk.lines) {
    const size_t size = stripped(line.text).size();
    if (line.kind == Kind::removed) {
      weight.removes |= size > 0;
      continue;
    }
    weight.lines += size > 0;
    weight.bytes += size;
    if (line.kind == Kind::added) weight.longest_added = std::max(weight.longest_added, size);
  }
  return weight;
}

bool stands_at(const std::vector<Place>& places, size_t line) {
  return std::any_of(places.begin(), places.end(),
                     [&](const Place& place) { return place.first == line; });
}

bool covers(const std::vector<Place>& places, const Place& inner) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.offset <= inner.offset &&
           place.offset + place.length >= inner.offset + inner.length;
  });
}

bool overlaps(const std::vector<Place>& places, const Place& other) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.first < other.last && other.first < place.last;
  });
}

// The old side stands exactly where it is said. It may still be part of the new text.
NewText beside_exact_places(const MappedText& file, const Hunk& hunk, const Weight& weight,
                            const std::vector<Place>& places) {
  const bool adds_much = weight.longest_added >= 8 && !weight.removes;
  const bool part_of_line = places[0].within_lines;
  const bool elsewhere = hunk.line_hint && !stands_at(places, *hunk.line_hint);
  if (weight.longest_added == 0 || hunk.all_places || places.size() > 64 ||
      !(adds_much || elsewhere || part_of_line))
    return NewText::absent;
  const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::punctuation);
  if (made.empty()) return NewText::absent;
  if (adds_much && places.size() == 1 && stands_at(made, places[0].first)) return NewText::there;
  if (part_of_line && places.size() == 1 && covers(made, places[0])) return NewText::perhaps_there;
  if (!elsewhere || !stands_at(made, *hunk.line_hint)) return NewText::absent;
  return weight.lines >= 2 ? NewText::there : NewText::perhaps_there;
}

}  // namespace

NewText look_for_new_text(const MappedText& file, const Hunk& written,
                          const std::vector<Place>& places) {
  const bool reread =
      !places.empty() && places[0].quality == MatchQuality::cosmetic && places[0].hunk;
  const Hunk& hunk = reread ? *places[0].hunk : written;
  const Weight weight = weight_of(hunk);
  const bool exact = !places.empty() && places[0].quality <= MatchQuality::punctuation;
  if (exact) return beside_exact_places(file, hunk, weight, places);
  const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::trailing_space);
  const bool says_enough = weight.lines >= 2 || weight.bytes >= 10;
  if (!made.empty() && weight.longest_added > 0) {
    if (!places.empty()) return says_enough ? NewText::there : NewText::absent;
    // Where the old side is nowhere, a line alone is the change only if it is one of a kind.
    const Place& first = made[0];
    const bool one = made.size() == 1 && stripped(file.line(first.first)).size() == weight.bytes;
    if (weight.lines >= 2 || (weight.longest_added > 2 && one)) return NewText::there;
    return NewText::perhaps_there;
  }
  if (places.empty() || weight.lines < 2 || weight.bytes < 20) return NewText::absent;
  // What only removes lines leaves nothing behind that is its own: the lines round them must stand
  // together somewhere else.
  const bool adds = weight.longest_added > 0;
  const MatchQuality loosest =
      adds ? places[0].quality : std::min(places[0].quality, MatchQuality::whitespace);
  const Hunk made_hunk = inverse(hunk);
  if (adds && places[0].quality == MatchQuality::elision &&
      may_stand_elided({file, made_hunk, old_side(made_hunk)}))
    return NewText::perhaps_there;
  for (const Place& place : find_places(file, made_hunk, loosest))
    if (adds || !overlaps(places, place)) return NewText::perhaps_there;
  return NewText::absent;
}

}  // namespace bodkin
