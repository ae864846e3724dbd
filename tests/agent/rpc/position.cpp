#include "agent/rpc/position.h"

#include <doctest/doctest.h>

namespace bodkin::rpc {
namespace {

TEST_CASE("a place is the same byte in every encoding") {
  //            a   ä(2 bytes)  €(3)        😀(4, two UTF-16 units)  z
  const Text text("first\r\na\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z\nlast");
  struct {
    size_t byte, utf8, utf16, utf32;
  } const rows[] = {{7, 0, 0, 0},  {8, 1, 1, 1},   {10, 3, 2, 2},
                    {13, 6, 3, 3}, {17, 10, 5, 4}, {18, 11, 6, 5}};
  for (const auto& row : rows) {
    CAPTURE(row.byte);
    CHECK(to_position(text, row.byte, Encoding::utf8) == Position{1, row.utf8});
    CHECK(to_position(text, row.byte, Encoding::utf16) == Position{1, row.utf16});
    CHECK(to_position(text, row.byte, Encoding::utf32) == Position{1, row.utf32});
    CHECK(to_offset(text, {1, row.utf8}, Encoding::utf8) == row.byte);
    CHECK(to_offset(text, {1, row.utf16}, Encoding::utf16) == row.byte);
    CHECK(to_offset(text, {1, row.utf32}, Encoding::utf32) == row.byte);
  }
}

TEST_CASE("a place inside a character is its beginning") {
  const Text text("\xF0\x9F\x98\x80z");
  CHECK(to_offset(text, {0, 1}, Encoding::utf16) == 0);
  CHECK(to_offset(text, {0, 2}, Encoding::utf8) == 0);
}

TEST_CASE("a place beyond the line is its end, beyond the text the text's end") {
  const Text text("ab\r\ncd\n");
  CHECK(to_offset(text, {0, 2147483647}, Encoding::utf16) == 2);
  CHECK(to_offset(text, {1, 99}, Encoding::utf8) == 6);
  CHECK(to_offset(text, {2, 0}, Encoding::utf8) == 7);
  CHECK(to_offset(text, {99, 0}, Encoding::utf8) == 7);
  CHECK(to_offset(text, {99, static_cast<size_t>(-1)}, Encoding::utf8) == 7);
}

TEST_CASE("bytes that are not UTF-8 count as one unit each") {
  const Text text("\xFF\xC3z");
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
    CHECK(to_position(text, 2, encoding) == Position{0, 2});
    CHECK(to_offset(text, {0, 2}, encoding) == 2);
  }
}

}  // namespace
}  // namespace bodkin::rpc
