#include "grammars/symbol_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

using namespace bodkin;

namespace {

std::shared_ptr<const FileSymbols> scanned(const char* language, const std::string& text) {
  const auto tree = SyntaxTree::parse(*language_with_id(language), Text(text));
  REQUIRE(tree.has_value());
  return std::make_shared<FileSymbols>(symbols_of(*tree, outline(*tree)));
}

std::vector<std::string> places(const std::vector<IndexedSymbol>& symbols) {
  std::vector<std::string> result;
  for (const IndexedSymbol& symbol : symbols) {
    result.push_back(symbol.path + ":" + std::to_string(symbol.lines.begin + 1) + " " +
                     (symbol.container.empty() ? "" : symbol.container + "::") + symbol.name);
  }
  return result;
}

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("a name's last part is what it is used by") {
  const std::pair<const char*, const char*> cases[] = {
      {"resize", "resize"},
      {"Widget::resize", "resize"},
      {"Box<T>", "Box"},
      {"Box<a::B>::get", "get"},
      {"ns::Box<std::less<>>", "Box"},
      {"exports.load", "load"},
      {"A.prototype.f", "f"},
      {"operator==", "operator=="},
      {"Set::operator<", "operator<"},
      {"~Widget", "~Widget"},
      {"cooperator::f", "f"},
      {"", ""},
      {"<", "<"},
  };
  for (const auto& [name, simple] : cases) CHECK(simple_name(name) == simple);
}

TEST_CASE("a file's declarations have their lines and containers, and its names are counted") {
  const auto file = scanned("python",
                            "import os\n"
                            "class Shape:\n"
                            "    def area(self):\n"
                            "        return width * width  # width\n"
                            "\n"
                            "def main():\n"
                            "    print(\"width\", Shape().area())\n");
  REQUIRE(file->definitions.size() == 3);
  CHECK(file->name(file->definitions[1]) == "area");
  CHECK(file->container(file->definitions[1]) == "Shape");
  CHECK(file->definitions[1].first_line == 2);
  CHECK(file->definitions[1].end_line == 4);
  const auto uses_of = [&](std::string_view name) {
    const auto found = std::ranges::find(file->uses, hash_of_name(name), &FileSymbols::Use::hash);
    return found == file->uses.end() ? 0 : found->count;
  };
  CHECK(uses_of("width") == 2);  // not in the comment, not in the string
  CHECK(uses_of("area") == 2);
  CHECK(uses_of("nothing") == 0);
}

TEST_CASE("names_used gives the names of the lines in their order") {
  const auto tree = SyntaxTree::parse(
      *language_with_id("cpp"),
      Text("int before();\nint f(Row& row) {\n  return row.size + g(row);\n}\nint after;\n"));
  REQUIRE(tree.has_value());
  CHECK(names_used(*tree, {1, 4}) == Places{"f", "Row", "row", "size", "g"});
  CHECK(names_used(*tree, {9, 12}).empty());
}

TEST_CASE("names are found whole in a text that was edited") {
  std::string long_text;
  for (int i = 0; i < 4000; ++i) long_text += "int some_long_name_" + std::to_string(i) + ";\n";
  Text text(long_text);
  // An edit inside of a name: its bytes are in two chunks now.
  const size_t at = text.line_begin(2000) + 8;
  text = text.replace(at, 0, "X");
  const auto tree = SyntaxTree::parse(*language_with_id("c"), text);
  REQUIRE(tree.has_value());
  const auto names = names_used(*tree, {2000, 2001});
  REQUIRE(names.size() == 1);
  CHECK(names[0] == text.line(2000).substr(4, names[0].size()));
  CHECK(names_used(*tree, {0, 5000}).size() == 4000);
}

TEST_CASE("a declaration is found by name, and anew when its file changes or goes") {
  SymbolIndex index;
  const std::vector<std::string> area = {"area"};
  index.set("b.py", scanned("python", "def area(): pass\n"));
  index.set("a.cpp", scanned("cpp", "namespace n {\nint Shape::area() { return 1; }\n}\n"));
  CHECK(places(index.find(area)) == Places{"a.cpp:2 n::Shape::area", "b.py:1 area"});
  index.set("b.py", scanned("python", "x = 1\ndef area(): pass\n"));
  index.set("a.cpp", scanned("cpp", "int volume();\n"));
  CHECK(places(index.find(area)) == Places{"b.py:2 area"});
  index.remove("b.py");
  index.remove("never.py");
  CHECK(index.find(area).empty());
  CHECK(index.find({}).empty());
  CHECK(index.size().files == 1);
}

TEST_CASE("the most used declarations come first, those near the files at hand before them") {
  SymbolIndex index;
  index.set("lib.py",
            scanned("python", "def often(): pass\ndef seldom(): pass\ndef unused(): pass\n"));
  index.set("a.py", scanned("python", "often(); often(); often()\n"));
  index.set("b.py", scanned("python", "often(); often()\n"));
  index.set("c.py", scanned("python", "seldom()\n"));
  CHECK(places(index.most_used({}, 10)) == Places{"lib.py:1 often", "lib.py:2 seldom"});
  CHECK(places(index.most_used(std::vector<std::string>{"c.py"}, 10)) ==
        Places{"lib.py:2 seldom", "lib.py:1 often"});
  CHECK(places(index.most_used({}, 1)) == Places{"lib.py:1 often"});
  CHECK(index.most_used({}, 1)[0].uses == 5);
}

TEST_CASE("a name that everybody declares says nothing about the repository") {
  SymbolIndex index;
  for (const char* path : {"a.py", "b.py", "c.py", "d.py", "e.py"}) {
    index.set(path, scanned("python", "def main(): pass\n"));
  }
  index.set("z.py", scanned("python", "main()\n"));
  CHECK(index.most_used({}, 10).empty());
}

TEST_CASE("similar names: a slip, and a beginning") {
  SymbolIndex index;
  index.set(
      "a.py",
      scanned("python", "def parse_file(): pass\ndef parse_files_of(): pass\ndef other(): pass\n"));
  CHECK(index.similar_names("prase_file", 5) == Places{"parse_file"});
  CHECK(index.similar_names("parse_", 5) == Places{"parse_file", "parse_files_of"});
  CHECK(index.similar_names("", 5).empty());
  CHECK(index.similar_names(std::string(100'000, 'x'), 5).empty());
}

TEST_CASE("an index is read while it is written") {
  SymbolIndex index;
  const auto one = scanned("python", "def area(): pass\n");
  const auto two = scanned("python", "def area(): pass\ndef area2(): pass\n");
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 300; ++i) {
        const std::string path = std::to_string(thread) + "/" + std::to_string(i % 20) + ".py";
        i % 7 == 0 ? index.remove(path) : index.set(path, i % 2 ? one : two);
      }
    });
  }
  const std::vector<std::string> area = {"area"};
  for (int i = 0; i < 100; ++i) {
    for (const IndexedSymbol& symbol : index.find(area)) CHECK(symbol.name == "area");
    index.most_used(area, 10);
  }
  threads.clear();
  CHECK(index.size().files <= 40);
}
