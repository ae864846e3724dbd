#include "edits/already_applied.h"

#include <algorithm>

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

}  // namespace

bool has_loose_new_text(const MappedText& file, const Hunk& hunk) {
  const Weight weight = weight_of(hunk);
  return weight.longest_added > 2 && weight.lines >= 2 &&
         !find_places(file, inverse(hunk), MatchQuality::elision).empty();
}

NewText look_for_new_text(const MappedText& file, const Hunk& hunk,
                          const std::vector<Place>& places) {
  const Weight weight = weight_of(hunk);
  if (weight.longest_added == 0) return NewText::absent;
  if (!places.empty() && places[0].quality <= MatchQuality::punctuation) {
    const bool adds_much = weight.longest_added >= 8 && !weight.removes;
    if (hunk.all_places || places.size() > 64 || !(adds_much || hunk.line_hint))
      return NewText::absent;
    const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::punctuation);
    if (made.empty()) return NewText::absent;
    if (adds_much && places.size() == 1 && stands_at(made, places[0].first)) return NewText::there;
    if (hunk.line_hint && weight.lines >= 2 && stands_at(made, *hunk.line_hint) &&
        !stands_at(places, *hunk.line_hint))
      return NewText::there;
    return NewText::absent;
  }
  const std::vector<Place> made = find_places(file, inverse(hunk), MatchQuality::trailing_space);
  if (!made.empty()) {
    const bool says_enough = weight.lines >= 2 || weight.bytes >= 10;
    if (says_enough || (places.empty() && weight.longest_added > 2)) return NewText::there;
    return NewText::absent;
  }
  if (places.empty() || weight.lines < 2 || weight.bytes < 20) return NewText::absent;
  const MatchQuality loosest = std::min(places[0].quality, MatchQuality::gaps);
  return find_places(file, inverse(hunk), loosest).empty() ? NewText::absent
                                                          : NewText::perhaps_there;
}

}  // namespace bodkin
