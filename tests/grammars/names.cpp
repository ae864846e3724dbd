#include "grammars/names.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

struct Row {
  const char *path, *text, *word;
  bool is_name = true, is_bound = false;  // the first of this word
};

}  // namespace

TEST_CASE("a name is no keyword and no text, and is bound where it is declared or imported") {
  const Row rows[] = {
      {"a.py", "def zork(x): pass\n", "def", false},
      {"a.py", "def zork(x): pass\n", "zork", true, true},
      {"a.py", "def f(zork): pass\n", "zork", true, true},
      {"a.py", "from m import zork\n", "zork", true, true},
      {"a.py", "zork = 1\n", "zork", true, true},
      {"a.py", "x = zork + 1\n", "zork"},
      {"a.py", "f(zork)\n", "zork"},
      {"a.py", "x.zork()\n", "zork"},
      {"a.py", "x = 'zork'\n", "zork", false},
      {"a.py", "x = None\n", "None", false},
      {"a.ts", "const zork = 1;\n", "const", false},
      {"a.ts", "const zork = 1;\n", "zork", true, true},
      {"a.ts", "let x: number;\n", "number", false},
      {"a.ts", "import { zork } from 'm';\n", "zork", true, true},
      {"a.ts", "return zork;\n", "zork"},
      {"a.c", "int zork(void) { return 1; }\n", "int", false},
      {"a.c", "int zork(void) { return 1; }\n", "zork", true, true},
      {"a.c", "#define ZORK 1\n", "ZORK", true, true},
      {"a.c", "void f() { g(ZORK); }\n", "ZORK"},
      {"a.c", "/* zork */\n", "zork", false},
      {"a.rs", "fn zork() {}\n", "zork", true, true},
      {"a.rs", "fn f(x: Vec<Zork>) {}\n", "Zork"},
      {"a.rs", "fn f(&mut self) {}\n", "self", false},
      {"a.go", "func zork() {}\n", "zork", true, true},
      {"a.go", "var x = reflect.Zork\n", "Zork"},
  };
  for (const Row& row : rows) {
    const std::string text = row.text, word = row.word;
    CAPTURE(text);
    CAPTURE(word);
    const auto tree = SyntaxTree::parse(*language_of(row.path), Text(text));
    REQUIRE(tree);
    CHECK(is_name(*tree, text.find(word), word.size()) == row.is_name);
    CHECK(is_bound(*tree, text.find(word), word.size()) == row.is_bound);
  }
}
