// The rungs that are a line key, against a look at every window.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "edits/place/rungs.h"

using namespace bodkin;

namespace {

std::string any_of(std::mt19937& random, const std::vector<std::string>& texts) {
  return texts[random() % texts.size()];
}

std::string random_line(std::mt19937& random) {
  return any_of(random, {"", "", "  ", "\t"}) +
         any_of(random,
                {"", "}", "go", "go", "go();", "say( 1 );", "say(  1 );", "“a long line”"}) +
         any_of(random, {"", "", " "});
}

std::vector<size_t> starts_by_hand(const MappedText& file, const std::vector<std::string_view>& old,
                                   LineKey key) {
  std::vector<size_t> starts;
  for (size_t first = 0; first + old.size() <= file.line_count(); ++first) {
    bool same = true;
    for (size_t i = 0; i < old.size(); ++i) same &= same_under(key, old[i], file.line(first + i));
    if (same) starts.push_back(first);
  }
  return starts;
}

}  // namespace

TEST_CASE("a rung that is a line key finds every place, however often it is asked") {
  std::mt19937 random(5);
  for (size_t round = 0; round < 24; ++round) {
    std::vector<std::string> lines(round % 4 == 0 ? 300 : 1 + random() % 12);
    for (std::string& line : lines) line = random_line(random);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    const MappedText file{Text(text)};
    for (int question = 0; question < 40; ++question) {
      const size_t begin = random() % lines.size();
      const size_t count = std::min(1 + random() % 5, lines.size() - begin);
      Hunk hunk;
      for (size_t i = begin; i < begin + count; ++i)
        hunk.lines.push_back({HunkLine::Kind::removed, lines[i]});
      if (random() % 2 == 0) hunk.lines[random() % count].text = random_line(random);
      const Search search{file, hunk, old_side(hunk)};
      for (const LineKey key : {exact_key, trailing_key, trimmed_key, whitespace_key}) {
        std::vector<size_t> found;
        for (const Place& place : find_by_key(search, key)) {
          found.push_back(place.first);
          CHECK(place.last == place.first + count);
        }
        REQUIRE(found == starts_by_hand(file, search.old, key));
      }
    }
  }
}

TEST_CASE("a quote that is longer than the file, or empty, has no place") {
  const MappedText file{Text(std::string("a\n"))};
  Hunk hunk;
  CHECK(find_by_key({file, hunk, {}}, exact_key).empty());
  hunk.lines = {{HunkLine::Kind::removed, "a"}, {HunkLine::Kind::removed, ""}};
  CHECK(find_by_key({file, hunk, old_side(hunk)}, exact_key).empty());
  CHECK(find_by_key({file, hunk, old_side(hunk)}, whitespace_key).empty());
}
