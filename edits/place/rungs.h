// The rungs of the ladder that are more than a line key, one file each: rung_*.cpp. The table in
// match.cpp gives the order in which they are tried. A rung only says *where* the old side is; it
// never changes what is kept or removed. It returns all hits in the whole file, in time linear in
// the file and the hunk.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// Where the old lines may begin, by the longest of them.
struct Starts {
  bool too_many = false;
  std::vector<size_t> lines;
};

// The input of a rung: find these old lines of this hunk. The answers' `quality` is set by the
// ladder.
struct Search {
  const MappedText& file;
  const Hunk& hunk;
  std::vector<std::string_view> old;          // the hunk's old side, or a piece of it
  mutable std::optional<Starts> starts = {};  // computed by the first rung that needs it
};

using Rung = std::vector<Place>(const Search& search);

Rung find_in_bytes;    // of a string replacement: its bytes, whole lines or a part of some
Rung find_punctuated;  // curly quotes, no-break spaces and similar characters count as plain ones
Rung find_indented;    // all lines are moved by the same indentation, or tabs are spaces
Rung find_cosmetic;    // another reading of the edit text matches exactly
Rung find_elided;      // "..." stands for lines that stay
Rung find_with_gaps;   // blank lines and comment lines that only one side has
Rung find_fuzzy;       // one or two context lines differ by a token or two

// True if the pieces around the elisions occur in this order, possibly in several places.
bool may_match_elided(const Search& search);

// The places where every line's key is the old line's.
std::vector<Place> find_by_key(const Search& search, LineKey key);

// The place of `count` whole lines.
Place place_at(const MappedText& file, size_t first, size_t count);
bool all_blank(const std::vector<std::string_view>& lines);  // all lines are blank

}  // namespace bodkin
