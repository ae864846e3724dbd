#include "edits/text/shortened.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a text is shortened between characters, and only if it is too long") {
  CHECK(shortened_to("", 0).empty());
  CHECK(shortened_to("abc", 3) == "abc");
  CHECK(shortened_to("abcd", 3) == "abc…");
  CHECK(shortened_to("aä", 3) == "aä");
  CHECK(shortened_to("aäb", 2) == "a…");
  CHECK(shortened_to("aäb", 3) == "aä…");
  CHECK(shortened_to("a𝄞b", 4) == "a…");
  CHECK(shortened_to("𝄞", 3) == "…");
  CHECK(shortened_to("\x80\x80\x80", 1) == "…");  // no UTF-8
}

TEST_CASE("a title ends after a word, if a word ends in its second half") {
  CHECK(titled_to("one two", 7) == "one two");
  CHECK(titled_to("one two three", 10) == "one two…");
  CHECK(titled_to("one two three", 7) == "one two…");
  CHECK(titled_to("one   two", 5) == "one…");
  CHECK(titled_to("a long-winded-word", 10) == "a long-win…");
  CHECK(titled_to("wörterbücher", 2) == "w…");
  CHECK(titled_to("     one", 3) == "   …");
  CHECK(titled_to("abcde fghijklmno", 10) == "abcde…");  // half of it is enough
  CHECK(titled_to("abcd efghijklmno", 10) == "abcd efghi…");
}
