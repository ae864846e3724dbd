#include "edits/text/pieces.h"

#include <doctest/doctest.h>

using namespace bodkin;
using Pieces = std::vector<std::string_view>;

TEST_CASE("a text is split at every separator, and into lines") {
  CHECK(split("", ',') == Pieces{""});
  CHECK(split("a,,b,", ',') == Pieces{"a", "", "b", ""});
  CHECK(split_lines("").empty());
  CHECK(split_lines("\n") == Pieces{""});
  CHECK(split_lines("a\n\nb") == Pieces{"a", "", "b"});
  CHECK(split_lines("a\nb\n") == Pieces{"a", "b"});
}

TEST_CASE("a whole number is digits alone") {
  CHECK(whole_number("12") == 12);
  for (const char* none : {"", "-1", "+1", " 1", "1 ", "1x", "99999999999999999999"})
    CHECK_FALSE(whole_number(none));
}
