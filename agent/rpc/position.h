// Positions: LSP counts UTF-8, UTF-16 or UTF-32 code units in a line (negotiated at initialize);
// everywhere else a place is a byte offset.
#pragma once

#include <cstddef>
#include <string_view>

#include "edits/text/text.h"

namespace bodkin::rpc {

enum class Encoding { utf8, utf16, utf32 };
std::string_view name_of(Encoding encoding);  // as in PositionEncodingKind

struct Position {
  size_t line = 0, character = 0;  // from 0
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Range {
  Position start, end;  // half open
  friend bool operator==(const Range&, const Range&) = default;
};

// A character past the end of the line means the line's end, a line past the end of the text means
// the text's end (LSP 3.17, "Position"). A position inside a character means its beginning. Invalid
// UTF-8 counts as one unit per byte.
size_t to_offset(const Text& text, Position position, Encoding encoding);
Position to_position(const Text& text, size_t offset, Encoding encoding);
// The byte in `text` after `count` units of `encoding`, all line endings counted; at most its end.
size_t byte_after(std::string_view text, size_t count, Encoding encoding);
// The units of the first `bytes` bytes.
size_t units_in(std::string_view text, size_t bytes, Encoding encoding);
Range to_range(const Text& text, size_t begin, size_t end, Encoding encoding);

}  // namespace bodkin::rpc
