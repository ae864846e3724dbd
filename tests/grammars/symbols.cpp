// tests/grammars/corpus/*.txt: a source file, and which function or class each line is in. See its
// README.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "grammars/context.h"

namespace bodkin {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

TEST_CASE("every line of the corpus is in the function or class that it should be in") {
  std::set<std::string_view> covered;
  for (const auto& entry :
       std::filesystem::directory_iterator(BODKIN_TESTS_DIR "/grammars/corpus")) {
    if (entry.path().extension() != ".txt") continue;
    CAPTURE(entry.path().filename().string());
    const Language* language = language_with_id(entry.path().stem().string());
    REQUIRE(language);
    covered.insert(language->id);
    // "label | source line": the label names the symbol around the line.
    std::string source;
    std::vector<std::string> expected;
    std::istringstream lines(read(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      size_t bar = line.find('|');
      REQUIRE(bar != line.npos);
      std::string label = line.substr(0, bar);
      label.erase(label.find_last_not_of(' ') + 1);
      expected.push_back(label);
      source += line.substr(std::min(bar + 2, line.size())) + "\n";
    }
    Text text(source);
    auto tree = SyntaxTree::parse(*language, text);
    REQUIRE(tree);
    Outline all = outline(*tree);
    for (size_t line = 0; line < expected.size(); ++line) {
      const Symbol* found = enclosing(all, {line, line + 1});
      std::string got = found ? std::string(name_of(found->kind)) + " " + found->name : "";
      CAPTURE(line + 1);
      CAPTURE(text.line(line));
      CHECK(got == expected[line]);
    }
  }
  for (const Language& language : languages()) {
    CAPTURE(language.id);
    CHECK(covered.contains(language.id));
  }
}

}  // namespace bodkin
