#include "agent/support/encoding.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "agent/platform/processes.h"

using namespace bodkin;

namespace {

// Windows has no code pages for the first two, Wine none for the third.
bool lacks(std::string_view name) {
  return os::system_name().name == "Windows" &&
         (name == "latin10" || name == "big5-hkscs" || name == "gb18030");
}

}  // namespace

TEST_CASE("what is ASCII is the same bytes in each encoding that is known") {
  std::string ascii = "\t\n\r";
  for (char c = ' '; c <= '~'; ++c) ascii += c;
  for (const char* name :
       {"latin1",       "latin2",     "latin9",  "latin10",   "us-ascii", "iso-8859-15",
        "windows-1252", "cp437",      "koi8-r",  "shift_jis", "sjis",     "cp932",
        "euc-jp",       "euc-kr",     "cp949",   "gb2312",    "gbk",      "gb18030",
        "big5",         "big5-hkscs", "tis-620", "macroman"}) {
    CAPTURE(name);
    if (lacks(name)) continue;
    CHECK(is_known_encoding(name));
    CHECK(decoded(ascii, name) == ascii);
    CHECK(encoded(ascii, name) == ascii);
  }
}

TEST_CASE("an encoding with states, or in which ASCII is other bytes, is not known") {
  for (const char* name :
       {"cp037", "CP500", "cp-930", "cp1140", "cp1364", "cp1371", "cp1388", "cp1390", "cp1399",
        "utf-7", "iso-2022-jp", "iso-2022-kr", "hz", "ebcdic-us", "utf-16", "none", "latin1//"}) {
    CAPTURE(name);
    CHECK(!is_known_encoding(name));
    CHECK(!decoded("abc", name));
    CHECK(!encoded("abc", name));
  }
}

TEST_CASE("an encoding has more names than one") {
  CHECK(is_same_encoding("Shift_JIS", "cp932"));
  CHECK(is_same_encoding("latin9", "iso8859-15"));
  if (!lacks("latin10")) CHECK(is_same_encoding("latin10", "iso-8859-16"));
  CHECK(is_same_encoding("gb2312", "gbk"));
  CHECK(!is_same_encoding("latin1", "latin9"));
  CHECK(!is_same_encoding("cp037", "cp037"));
}
