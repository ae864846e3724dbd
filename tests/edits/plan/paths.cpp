// Which names of files can be shown as they are.
#include "edits/plan/paths.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

TEST_CASE("a name is shown as it is, bytes that are no UTF-8 and what is not seen aside") {
  for (const std::string name : {"a b.py", "\xC3\xA9.py", "\xE0\xA0\x80", "\xEF\xBF\xBD",
                                 "\xF0\x90\x80\x80", "\xF4\x80\x80\x80"}) {
    CHECK(is_printable(name));
    CHECK(printable(name) == name);
  }
  const std::pair<std::string, std::string> rows[] = {
      {"a\x80", "a\\x80"},
      {"\xC1\x80", "\\xC1\\x80"},
      {"\xC3(", "\\xC3("},
      {"\xE2\x82", "\\xE2\\x82"},
      {"\xE0\x80\x80", "\\xE0\\x80\\x80"},
      {"\xED\xA0\x80", "\\xED\\xA0\\x80"},
      {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},
      {"\xF5\x80\x80\x80", "\\xF5\\x80\\x80\\x80"},
      {"\xC2\x80", "\\u{0080}"},
      {"a\xE2\x80\x8B.py", "a\\u{200B}.py"},
      {"\x07", "\\u{0007}"},
  };
  for (const auto& [name, shown] : rows) {
    CHECK(!is_printable(name));
    CHECK(printable(name) == shown);
  }
}
