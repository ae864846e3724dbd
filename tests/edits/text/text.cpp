#include "edits/text/text.h"

#include <doctest/doctest.h>

#include <ctime>
#include <random>
#include <vector>

#include "edits/text/mapped_text.h"

using namespace bodkin;

namespace {

// The same questions answered the slow and plain way.
std::vector<size_t> line_begins(const std::string& s) {
  std::vector<size_t> begins{0};
  for (size_t i = 0; i < s.size(); ++i)
    if (s[i] == '\n' || (s[i] == '\r' && !(i + 1 < s.size() && s[i + 1] == '\n')))
      begins.push_back(i + 1);
  return begins;
}

void check_same(const Text& text, const std::string& model) {
  REQUIRE(text.size() == model.size());
  REQUIRE(text.str() == model);
  auto begins = line_begins(model);
  REQUIRE(text.line_count() == begins.size());
  for (size_t i = 0; i < begins.size(); ++i) {
    REQUIRE(text.line_begin(i) == begins[i]);
    REQUIRE(text.line_of(begins[i]) == i);
    size_t end = i + 1 < begins.size() ? begins[i + 1] : model.size();
    if (end > begins[i]) REQUIRE(text.line_of(end - 1) == i);
    while (end > begins[i] && i + 1 < begins.size() &&
           (model[end - 1] == '\n' || model[end - 1] == '\r'))
      --end;
    REQUIRE(text.line_end(i) == end);
  }
  std::string by_chunks;
  while (by_chunks.size() < text.size()) by_chunks += text.chunk_at(by_chunks.size());
  REQUIRE(by_chunks == model);
}

std::string random_bytes(std::mt19937& random, size_t length) {
  static const std::string alphabet = "ab\n\r\r\n\xC3\xA9 ";
  std::string s;
  while (s.size() < length) s += alphabet[random() % alphabet.size()];
  return s;
}

}  // namespace

TEST_CASE("lines end after each of the three line ends, and a text without any is one line") {
  Text text(std::string("one\ntwo\r\nthree\rfour"));
  CHECK(text.line_count() == 4);
  CHECK(text.line(0) == "one");
  CHECK(text.line(1) == "two");
  CHECK(text.line(2) == "three");
  CHECK(text.line(3) == "four");
  CHECK(Text().line_count() == 1);
  CHECK(Text(std::string("a\n")).line_count() == 2);
  CHECK(Text(std::string("a\n")).line(1) == "");
}

TEST_CASE("arguments beyond the end are taken as the end") {
  Text text(std::string("ab\ncd"));
  CHECK(text.line_begin(9) == 5);
  CHECK(text.line_end(9) == 5);
  CHECK(text.line_of(99) == 1);
  CHECK(text.substr(4, 99) == "d");
  CHECK(text.chunk_at(5).empty());
  CHECK(text.replace(99, 99, "!").str() == "ab\ncd!");
}

TEST_CASE("opening a document copies no byte, and an edit shares what it did not touch") {
  std::string bytes(1 << 20, 'x');
  for (size_t i = 79; i < bytes.size(); i += 80) bytes[i] = '\n';
  const char* stored = bytes.data();
  Text text(std::move(bytes));
  CHECK(text.chunk_at(0).data() == stored);
  CHECK(text.chunk_at(0).size() == text.size());
  Text edited = text.replace(500'000, 1, "yy");
  CHECK(edited.chunk_at(0).data() == stored);
  CHECK(edited.chunk_at(600'001).data() == stored + 600'000);
  CHECK(text.substr(500'000, 1) == "x");
  CHECK(edited.substr(500'000, 2) == "yy");
}

TEST_CASE("a document of one long line is opened in linear time") {
  const auto used = [](size_t size) {  // seconds of CPU
    const std::clock_t begin = std::clock();
    const Text text(std::string(size, 'x'));
    CHECK(text.line_count() == 1);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  // Sixteen times the size took 256 times as long when it was quadratic: 8 s.
  CHECK(used(16 << 20) < 1.0);
}

TEST_CASE("random edits give what the same edits of a string give") {
  std::mt19937 random(7);
  for (size_t size : {0, 1, 300, 70'000}) {
    std::string model = random_bytes(random, size);
    Text text{std::string(model)};
    check_same(text, model);
    for (int i = 0; i < 60; ++i) {
      size_t offset = random() % (model.size() + 1);
      size_t length = random() % (i % 7 == 0 ? 40'000 : 5);
      length = std::min(length, model.size() - offset);
      std::string with = random_bytes(random, random() % (i % 9 == 0 ? 50'000 : 4));
      text = text.replace(offset, length, with);
      model.replace(offset, length, with);
      check_same(text, model);
    }
  }
}

TEST_CASE("a line end that an edit cuts or joins is counted right") {
  Text text(std::string("a\r\nb"));
  CHECK(text.replace(2, 0, "x").line_count() == 3);  // a\r x\n b
  CHECK(text.replace(2, 0, "x").replace(2, 1, "").line_count() == 2);
  CHECK(text.replace(2, 1, "").line_count() == 2);
  std::string crs(40'000, '\r');
  CHECK(Text(crs).replace(20'000, 0, "\n").line_count() == 40'001);
}

TEST_CASE("chunks of UTF-8 text are cut between characters") {
  std::string bytes = "x";
  while (bytes.size() < 100'000) bytes += "\xE2\x82\xAC";
  Text text = Text(std::move(bytes)).replace(50'002, 0, "y").replace(7, 0, "z");
  for (size_t at = 0; at < text.size(); at += text.chunk_at(at).size())
    CHECK((static_cast<unsigned char>(text.chunk_at(at)[0]) & 0xC0) != 0x80);
}

TEST_CASE("texts are equal if their bytes are, however they are stored") {
  std::string bytes(100'000, 'a');
  Text text(bytes);
  CHECK(text == Text(bytes));
  CHECK(text.replace(5, 0, "b").replace(5, 1, "") == text);
  CHECK_FALSE(text.replace(70'000, 1, "b") == text);
  CHECK_FALSE(Text() == text);
  CHECK(Text() == Text(std::string()));
}

TEST_CASE("a mapped text has the same lines whether few or all of them are asked for") {
  const char* const ends[] = {"\n", "\r\n", "\r"};
  for (const std::string end : ends) {
    for (const std::string begin : {"", "\xEF\xBB\xBF"}) {
      for (const std::string last : {"", "open"}) {
        CAPTURE(end + begin + last);
        std::string bytes = begin;
        for (int i = 0; i < 1000; ++i) bytes += "line " + std::to_string(i) + end;
        Text text(bytes + last);
        text = text.replace(text.line_begin(500), 0, "x" + end + "y");  // in several pieces
        const MappedText one(text);
        REQUIRE(one.line_count() == 1001 + (last.empty() ? 0 : 1));
        std::vector<std::string> lines;
        for (size_t i = 0; i < one.line_count(); ++i) lines.emplace_back(one.line(i));
        for (const size_t i : {size_t{0}, size_t{1}, size_t{499}, lines.size() - 1}) {
          const MappedText few(text);
          CHECK(few.line(i) == lines[i]);
          CHECK(few.line_at(few.begin_of(i)) == i);
          CHECK(few.line_at(few.bytes().size()) == few.line_count() - 1);
          CHECK(few.next_of(few.line_count() - 1) == text.size());
        }
        CHECK(lines[0] == "line 0");
      }
    }
  }
}
