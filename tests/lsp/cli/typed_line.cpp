#include "lsp/cli/typed_line.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace bodkin;

namespace {

const std::vector<std::string> kHistory{"first", "zweite Zeile"};
const LineEditor::Complete kWords = [](const std::string& word, bool is_first) {
  std::vector<std::string> found;
  for (const char* each : {"/help", "src/", "größe.c", "grün.c", "same.c"})
    if (std::string(each).starts_with(word) && (each[0] == '/') == is_first)
      found.emplace_back(each);
  return found;
};

// What the keys come to, with "|" at the cursor. A key is a character, or a word in <>.
std::string typed(std::initializer_list<const char*> keys) {
  TypedLine line(kHistory, kWords);
  std::string end;
  for (const char* key : keys) {
    switch (line.take(key)) {
      case TypedLine::Next::sent:
        end = " sent";
        break;
      case TypedLine::Next::interrupted:
        end = " interrupted";
        break;
      case TypedLine::Next::ended:
        end = " ended";
        break;
      case TypedLine::Next::listed:
        end = " listed";
        break;
      case TypedLine::Next::more:
        break;
    }
  }
  std::string text = line.text();
  text.insert(line.cursor(), "|");
  return text + end;
}

// A terminal that knows what TypedLine draws with.
struct Screen {
  size_t columns;
  std::vector<std::u32string> rows{std::u32string()};
  size_t row = 0, column = 0;

  static size_t width(char32_t c) { return c >= 0x4E00 && c < 0xA000 ? 2 : c == 0x301 ? 0 : 1; }
  void put(char32_t c) {
    if (column + width(c) > columns) down(), column = 0;
    rows[row].resize(std::max(rows[row].size(), column + width(c)), U' ');
    if (width(c)) rows[row][column] = c;
    column += width(c);
  }
  void down() {
    if (++row == rows.size()) rows.emplace_back();
  }
  void take(const std::string& text) {
    for (size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte == '\r') {
        column = 0;
      } else if (byte == '\n') {
        down();
      } else if (byte == '\b') {
        column = std::min(column, columns - 1) - 1;
      } else if (byte == '\033') {
        size_t number = 0;
        for (i += 2; text[i] >= '0' && text[i] <= '9'; ++i)
          number = number * 10 + static_cast<size_t>(text[i] - '0');
        if (text[i] == 'A') row -= number;
        if (text[i] == 'C') column += number;
        if (text[i] == 'J') {
          rows.resize(row + 1);
          rows[row].resize(std::min(rows[row].size(), column));
        }
      } else {
        const size_t size = byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        char32_t c = size == 1 ? byte : size == 2 ? byte & 0x1Fu : byte & 0x0Fu;
        for (size_t more = 1; more < size; ++more)
          c = c << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F);
        put(c);
      }
    }
  }
};

}  // namespace

TEST_CASE("keys edit the line that is typed") {
  CHECK(typed({"a", "ä", "c", "\033[D", "\033[D", "x"}) == "ax|äc");
  CHECK(typed({"a", "ä", "\x7f", "\b", "\b"}) == "|");
  CHECK(typed({"ab cd", "\x17"}) == "ab |");
  CHECK(typed({"ab cd", "\033[1;5D", "\x0b"}) == "ab |");
  CHECK(typed({"ab", "\x01", "\033[3~", "\x04"}) == "|");
  CHECK(typed({"ab", "\x15"}) == "|");
  CHECK(typed({"\x04"}) == "| ended");
  CHECK(typed({"a", "\x03"}) == "a| interrupted");
  CHECK(typed({"a", "\r"}) == "a| sent");
  CHECK(typed({"a", "\\", "\r", "b", "\r"}) == "a\nb| sent");
  CHECK(typed({"a", "\n", "b", "\033\r", "\033[H", "c"}) == "a\nb\nc|");
  CHECK(typed({"a", "\033[5~", "\x1a"}) == "a|");  // keys that nothing is bound to
}

TEST_CASE("Up leads to what was sent, and Down back to what was typed") {
  CHECK(typed({"x", "\033[A"}) == "zweite Zeile|");
  CHECK(typed({"x", "\033[A", "\x10", "\033[A"}) == "first|");
  CHECK(typed({"x", "\033[A", "\033[B", "\033[B"}) == "x|");
}

TEST_CASE("Tab completes what is unambiguous, and lists the rest") {
  CHECK(typed({"/h", "\t"}) == "/help |");
  CHECK(typed({"see s", "\t"}) == "see s| listed");
  CHECK(typed({"see sr", "\t"}) == "see src/|");
  CHECK(typed({"see g", "\t"}) == "see gr|");
  CHECK(typed({"see gr", "\t"}) == "see gr| listed");  // ö and ü share a byte
  CHECK(typed({"nothing", "\t"}) == "nothing|");
}

TEST_CASE("what is pasted sends nothing") {
  TypedLine line(kHistory, kWords);
  line.insert("a\tb\nc\x03\033[A");
  CHECK(line.text() == "a\tb\nc[A");
}

TEST_CASE("a line is drawn as it is, with the cursor where it is") {
  std::mt19937 random(1);
  const std::vector<std::string> keys{"a",      "ä",      "字", "字",     "e\xCC\x81",
                                      "\n",     "\033[D", "\b", "\033[C", "\033[D",
                                      "\033[H", "\033[F", "b",  "\033[A", "\033[B"};
  for (int round = 0; round < 300; ++round) {
    Screen screen{5 + random() % 12};
    TypedLine line(kHistory, kWords);
    size_t row = 0;
    for (int step = 0; step < 60; ++step) {
      line.take(keys[random() % keys.size()]);
      screen.take(drawn(line, screen.columns, row));
      // The whole of it drawn at once, and what is before the cursor.
      Screen wanted{screen.columns}, before{screen.columns};
      const auto put = [](Screen& to, const std::string& text) {
        std::string all = "> ";
        for (const char c : text) all += c == '\n' ? "\r\n. " : std::string(1, c);
        to.take(all);
      };
      put(wanted, line.text());
      put(before, line.text().substr(0, line.cursor()));
      if (before.column >= before.columns) before.down(), before.column = 0;
      auto rows = screen.rows;
      while (rows.size() > wanted.rows.size() &&
             rows.back().find_first_not_of(U' ') == rows.back().npos)
        rows.pop_back();
      for (auto* all : {&rows, &wanted.rows})
        for (auto& each : *all) each.resize(each.find_last_not_of(U' ') + 1);
      REQUIRE(rows == wanted.rows);
      REQUIRE(screen.row == before.row);
      REQUIRE(screen.column == before.column);
      REQUIRE(row == screen.row);
    }
  }
}
