// The bytes of a string replacement in a file, whole lines or a part of some; and lines that stand
// in the file byte for byte.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// Find these old lines of this hunk.
struct Search {
  const MappedText& file;
  const Hunk& hunk;
  std::vector<std::string_view> old;  // the hunk's old side
};

// Of a string replacement: its bytes.
std::vector<Place> find_in_bytes(const Search& search);

// The places where these lines stand byte for byte.
std::vector<Place> find_lines(const MappedText& file, std::span<const std::string_view> lines);

// The place of `count` whole lines.
Place place_at(const MappedText& file, size_t first, size_t count);

}  // namespace bodkin
