// The bytes of a string replacement in a file, whole lines or a part of some; and lines that stand
// in the file byte for byte, or equal under another key.
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

// Find these old lines of this hunk.
struct Search {
  const MappedText& file;
  const Hunk& hunk;
  std::vector<std::string_view> old;          // the hunk's old side, or a piece of it
  mutable std::optional<Starts> starts = {};  // computed when it is first needed
};

// Of a string replacement: its bytes.
std::vector<Place> find_in_bytes(const Search& search);

// The places where every line's key is the old line's.
std::vector<Place> find_by_key(const Search& search, LineKey key);

// The place of `count` whole lines.
Place place_at(const MappedText& file, size_t first, size_t count);

}  // namespace bodkin
