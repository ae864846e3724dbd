// Whether a text is all of a file.
#include "edits/lazy/part_of_file.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace bodkin;

namespace {

std::string lines(size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

// A language whose texts have as many "{" as "}".
class Braces : public Syntax {
 public:
  bool knows(std::string_view path) const override { return path == "a.c"; }
  std::optional<std::vector<size_t>> new_errors(std::string_view, const Text&,
                                                const Text& after) const override {
    const std::string text = after.str();
    const bool is_whole = std::ranges::count(text, '{') == std::ranges::count(text, '}');
    return is_whole ? std::vector<size_t>() : std::vector<size_t>{0};
  }
  std::vector<SyntaxBlock> blocks(std::string_view, const Text&,
                                  const std::vector<char>*) const override {
    return {};
  }
};

// The number, from 1, of the line at which the new text stops; 0: it does not.
size_t stop(const std::string& file, const std::string& contents, const Syntax* syntax = nullptr,
            const char* path = "a.c") {
  const auto line = where_it_stops(path, Text(file), contents, syntax);
  return line ? *line + 1 : 0;
}

}  // namespace

TEST_CASE("a text that ends long before the file does stops") {
  CHECK(stop(lines(0, 40), lines(0, 30)) == 30);
  CHECK(stop(lines(0, 40), "first\n" + lines(1, 20)) == 20);
  CHECK(stop(lines(0, 40), lines(0, 31)) == 0);            // nine lines may go
  CHECK(stop(lines(0, 12), lines(0, 6)) == 0);             // as half of a short file may
  CHECK(stop(lines(0, 100), lines(0, 80)) == 0);           // or a fifth of a long one
  CHECK(stop(lines(0, 40), lines(0, 20) + "end\n") == 0);  // it has another end
  CHECK(stop(lines(0, 40), lines(0, 2) + lines(30, 40)) == 0);
  CHECK(stop(lines(0, 40), lines(0, 40)) == 0);
  CHECK(stop(lines(0, 40), "") == 0);
  CHECK(stop("", lines(0, 40)) == 0);
  // The end of one part is the end of all others, too.
  std::string file;
  for (int i = 0; i < 9; ++i) file += "begin " + std::to_string(i) + "\n{\nwork();\nend();\n}\n";
  CHECK(stop(file, file.substr(0, file.find("begin 5"))) == 25);
}

TEST_CASE("a text that ends within a line stops") {
  CHECK(stop(lines(0, 40), lines(0, 38) + "lin\n") == 39);
  CHECK(stop(lines(0, 40), lines(0, 39) + "lin\n") == 0);  // the file's last line, changed
  CHECK(stop(lines(0, 5), lines(0, 3) + "li") == 4);
}

TEST_CASE("a text whose language misses an end stops") {
  const Braces syntax;
  const std::string file = "int f(int a) {\n  if (a)\n    return 1;\n  a += 2;\n  return a;\n}\n";
  CHECK(stop(file, "int f(int a) {\n  if (a)\n    return 1;\n  a += 2;\n", &syntax) == 4);
  CHECK(stop(file, "int f(int a) {\n  if (a)\n    return 1;\n  a += 2;\n") == 0);
  CHECK(stop(file, "int f(int a) {\n  if (a)\n    return 1;\n  a += 2;\n", &syntax, "a.x") == 0);
  CHECK(stop(file + "int g;\n", file, &syntax) == 0);
}
