#include "agent/rpc/position.h"

#include <algorithm>
#include <string>

namespace bodkin::rpc {

namespace {

// The bytes of the character that begins at `i`; 1 if it is not UTF-8.
size_t character_length(std::string_view text, size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  const size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (i + length > text.size()) return 1;
  for (size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return 1;
  }
  return length;
}

size_t units(size_t bytes, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return bytes;
    case Encoding::utf16:
      return bytes == 4 ? 2 : 1;
    case Encoding::utf32:
      return 1;
  }
  return bytes;
}

}  // namespace

std::string_view name_of(Encoding encoding) {
  constexpr std::string_view kNames[] = {"utf-8", "utf-16", "utf-32"};
  return kNames[static_cast<size_t>(encoding)];
}

size_t to_offset(const Text& text, Position position, Encoding encoding) {
  if (position.line >= text.line_count()) return text.size();
  const size_t begin = text.line_begin(position.line);
  const size_t end = text.line_end(position.line);
  // No unit is longer than four bytes: only the part of a very long line that can matter is read.
  const size_t most =
      position.character > (end - begin) / 4 ? end - begin : position.character * 4 + 4;
  const std::string line = text.substr(begin, std::min(most, end - begin));
  return begin + byte_after(line, position.character, encoding);
}

size_t byte_after(std::string_view text, size_t count, Encoding encoding) {
  size_t i = 0;
  while (i < text.size() && count > 0) {
    const size_t length = character_length(text, i);
    const size_t width = units(length, encoding);
    if (width > count) break;
    count -= width;
    i += length;
  }
  return i;
}

size_t units_in(std::string_view text, size_t bytes, Encoding encoding) {
  size_t count = 0;
  for (size_t i = 0; i < std::min(bytes, text.size());) {
    const size_t length = character_length(text, i);
    count += units(length, encoding);
    i += length;
  }
  return count;
}

Position to_position(const Text& text, size_t offset, Encoding encoding) {
  offset = std::min(offset, text.size());
  const size_t line = text.line_of(offset);
  const size_t begin = text.line_begin(line);
  const std::string before = text.substr(begin, std::min(offset, text.line_end(line)) - begin);
  return {line, units_in(before, before.size(), encoding)};
}

Range to_range(const Text& text, size_t begin, size_t end, Encoding encoding) {
  return {to_position(text, begin, encoding), to_position(text, end, encoding)};
}

}  // namespace bodkin::rpc
