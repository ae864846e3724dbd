#include "agent/support/shown_text.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

using namespace bodkin;

namespace {

// What acts on who reads it: controls, C1 as UTF-8, directions. Line ends and tabs do not.
bool acts_on_reader(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) return true;
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == 0xC2 && next >= 0x80 && next < 0xA0) return true;
  }
  for (const char* direction :
       {"\u202E", "\u2066", "\u200F", "\u061C", "\u2028", "\uFEFF", "\U000E0041"})
    if (text.find(direction) != text.npos) return true;
  return false;
}

}  // namespace

TEST_CASE("hostile texts are shown and do nothing") {
  std::ifstream file(std::string(BODKIN_TESTS_DIR) + "/agent/support/hostile_texts.json");
  const auto texts = nlohmann::json::parse(file);
  REQUIRE(texts.size() > 20);
  for (const std::string text : texts) {
    CAPTURE(text);
    CHECK_FALSE(acts_on_reader(visible(text)));
    CHECK_FALSE(acts_on_reader(plain(text)));
    CHECK(plain(text).find("](") == std::string::npos);
    CHECK(plain_line(text).find('\n') == std::string::npos);
    CHECK(visible(visible(text)) == visible(text));
    CHECK(plain(plain(text)) == plain(text));
  }
  CHECK(visible("a\x1b[1m\xff\xc2\x9b") == "a^[[1m<ff><U+009B>");
  CHECK(visible("a\r\nb\rc\td") == "a\nb^Mc\td");
  CHECK(visible("a\u200Bb\u00ADc\u2060") == "a<U+200B>b<U+00AD>c<U+2060>");
  CHECK(visible("日本語 ü 🙂") == "日本語 ü 🙂");
  // What hides a name or a message, and what makes an emoji or joins letters.
  CHECK(visible("a\u3164,\u2800\u115F\u180E\U000E0141\u200D\uFE0F") ==
        "a<U+3164>,<U+2800><U+115F><U+180E><U+E0141><U+200D><U+FE0F>");
  CHECK(visible("é\uFE0F\uFE0F\u200D") == "é\uFE0F<U+FE0F><U+200D>");
  CHECK(visible("⚠️ ❤️‍🔥 👩‍💻 1️⃣ می‌خواهم 葛󠄀") ==
        "⚠️ ❤️‍🔥 👩‍💻 1️⃣ می‌خواهم 葛󠄀");
}

TEST_CASE("a name is one line, and stays as it is if it is harmless") {
  CHECK(shown_name("src/日本 ü.c") == "src/日本 ü.c");
  CHECK(shown_name("x\n\nRequest: y\t\x1b[1m\u202E\xff") == "x^J^JRequest: y^I^[[1m<U+202E><ff>");
}

TEST_CASE("a text is folded at blanks, in characters, and keeps what it says") {
  CHECK(wrapped("one two three", 7, 0) == "one two\nthree");
  CHECK(wrapped("  key: ein zwei drei", 12, 4) == "  key: ein\n    zwei\n    drei");
  CHECK(wrapped("äöü äöü", 7, 0) == "äöü äöü");
  CHECK(wrapped("a-word-that-is-longer than it", 5, 2) == "a-word-that-is-longer\n  than\n  it");
  CHECK(wrapped("a one\nb two three\nc", 8, 3) == "a one\nb two\n   three\nc");
  CHECK(wrapped("", 5, 2).empty());
}
