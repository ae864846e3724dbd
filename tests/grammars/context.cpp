#include "grammars/context.h"

#include <doctest/doctest.h>

namespace bodkin {
namespace {

std::string shown(std::string_view id, const std::string& source, LineRange lines, size_t budget) {
  Text text(source);
  auto tree = SyntaxTree::parse(*language_with_id(id), text);
  REQUIRE(tree);
  return render(text, context_of(*tree, outline(*tree), lines, budget));
}

const std::string kPython =
    "import os\n"
    "\n"
    "X = 1\n"
    "\n"
    "class A(B):\n"
    "    def f(self):\n"
    "        return 1\n"
    "\n"
    "    # Gives.\n"
    "    @property\n"
    "    def g(self):\n"
    "        a = 1\n"
    "        b = 2\n"
    "        c = 3\n"
    "        d = 4\n"
    "        return a\n";

}  // namespace

TEST_CASE("a place is shown with its function, the head of its class, imports and signatures") {
  CHECK(shown("python", kPython, {12, 13}, 1000) ==
        "import os\n"
        "[lines 2-4 are not shown]\n"
        "class A(B):\n"
        "    def f(self):\n"
        "[lines 7-8 are not shown]\n"
        "    # Gives.\n"
        "    @property\n"
        "    def g(self):\n"
        "        a = 1\n"
        "        b = 2\n"
        "        c = 3\n"
        "        d = 4\n"
        "        return a\n");
}

TEST_CASE(
    "a function that is longer than the budget is shown by its head and the part around the "
    "place") {
  std::string source = "def long(a,\n         b):\n";
  for (int i = 0; i < 100; ++i) source += "    line" + std::to_string(i) + "()\n";
  std::string text = shown("python", source, {52, 53}, 300);
  CHECK(text.starts_with("def long(a,\n         b):\n[lines 3-"));
  CHECK(text.find("    line50()\n") != text.npos);
  CHECK(text.find("line10()") == text.npos);
  CHECK(text.ends_with(" are not shown]\n"));
  CHECK(text.size() < 400);
}

TEST_CASE("what the place uses of the file is shown: types in full, of functions the head") {
  CHECK(shown("python",
              "import os\n"
              "SIZES = {\n"
              "    1: 2,\n"
              "}\n"
              "OTHER = {\n"
              "    1: 2,\n"
              "}\n"
              "def first():\n"
              "    import copy\n"
              "    return copy\n"
              "def pick(a):\n"
              "    # Comment of the body.\n"
              "    return a\n"
              "class Box:\n"
              "    def open(self):\n"
              "        return pick(SIZES)\n",
              {15, 16}, 1000) ==
        "import os\n"
        "SIZES = {\n"
        "    1: 2,\n"
        "}\n"
        "[lines 5-10 are not shown]\n"
        "def pick(a):\n"
        "[lines 12-13 are not shown]\n"
        "class Box:\n"
        "    def open(self):\n"
        "        return pick(SIZES)\n");
}

TEST_CASE("a function in a function is shown with what is around it in that one") {
  CHECK(shown("javascript",
              "function unrelated() {\n"
              "  return 0;\n"
              "}\n"
              "function outer() {\n"
              "  const a = 1;\n"
              "  const inner = () => {\n"
              "    return a;\n"
              "  };\n"
              "  return inner;\n"
              "}\n",
              {6, 7}, 1000) ==
        "[lines 1-3 are not shown]\n"
        "function outer() {\n"
        "  const a = 1;\n"
        "  const inner = () => {\n"
        "    return a;\n"
        "  };\n"
        "  return inner;\n"
        "}\n");
}

TEST_CASE("a selection over two functions is in what holds both") {
  Text text(kPython);
  auto tree = SyntaxTree::parse(*language_with_id("python"), text);
  REQUIRE(tree);
  Context context = context_of(*tree, outline(*tree), {6, 11}, 1000);
  REQUIRE(context.symbol);
  CHECK(context.symbol->name == "A");
}

TEST_CASE("without a function around, the lines around the place are shown") {
  const std::string above(30, 'a'), below(30, 'e');
  Text longer(above + "\nb\nc\nd\n" + below);
  CHECK(render(longer, context_of(longer, {2, 3}, 6)) ==
        "[line 1 is not shown]\nb\nc\nd\n[line 5 is not shown]\n");
  Text text("a\nb\nc\nd\ne");
  CHECK(render(text, context_of(text, {2, 3}, 6)) == "a\nb\nc\nd\ne");  // shorter than to say so
  CHECK(render(text, context_of(text, {4, 5}, 100)) == "a\nb\nc\nd\ne");
  CHECK(render(text, context_of(text, {99, 100}, 0)) == "[lines 1-5 are not shown]\n");
}

}  // namespace bodkin
