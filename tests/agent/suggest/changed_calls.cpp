#include "agent/suggest/changed_calls.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/place/write.h"

using namespace bodkin;

namespace {

// A file in which lines become others, one edit after the other.
struct Edited {
  std::string path;
  Text text;
  RecentEdit recent;

  void put(const std::string& old, const std::string& with) {
    const size_t at = text.str().find(old);
    REQUIRE(at != std::string::npos);
    const Text before = text;
    text = text.replace(at, old.size(), with);
    recent.note(before, text, {at, old.size(), with});
  }
  NextEdits next() const {
    const auto edit = recent.last();
    REQUIRE(edit);
    const auto tree = SyntaxTree::parse(*language_of(path), text);
    REQUIRE(tree);
    return changed_calls(*tree, *edit, recent.earlier());
  }
  // A line for each place, numbers from 1.
  std::string shown() const {
    std::string out;
    for (const NextEdit& each : next().edits) {
      const std::string words = each.message.empty() ? each.change.text : each.message + "\n";
      out += std::to_string(each.lines.begin + 1) + ": " + words;
    }
    return out;
  }
};

const char kGreet[] =
    "def greet(name, loud, times=1):\n"
    "    print(name)\n"
    "\n"
    "greet('Ada', True, 2)\n"
    "greet('Bob', loud=False, times=3)\n"
    "greet('Cy', ask(), 1)\n"
    "greet('Di', True)\n"
    "room.greet('Ed', True, 2)\n"
    "# greet('Flo', True, 2)\n";

}  // namespace

TEST_CASE("calls lose the argument whose parameter is gone, unless it does something itself") {
  Edited file{"a.py", Text(kGreet), {}};
  file.put("loud, ", "");
  CHECK(file.shown() == "4: greet('Ada', 2)\n5: greet('Bob', times=3)\n7: greet('Di')\n");
  CHECK(file.next().what == "greet() takes fewer arguments");
}

TEST_CASE("calls that lack an argument are told of") {
  Edited file{"a.py", Text(kGreet), {}};
  file.put("loud, times", "loud, room, times");
  CHECK(file.shown() == "7: greet() takes at least 3 arguments now\n");
  Edited optional{"a.py", Text(kGreet), {}};
  optional.put("times=1", "times=1, room=None");
  CHECK(optional.shown() == "");
  // In Lua it may be left out.
  Edited lua{"a.lua", Text("local function add(a)\n  return a\nend\nadd(1)\n"), {}};
  lua.put("(a)", "(a, b)");
  CHECK(lua.shown() == "");
}

TEST_CASE(
    "a call that lacks something is certain, others once one is done; nothing in JavaScript") {
  for (const bool is_typed : {false, true}) {
    const std::string path = is_typed ? "a.ts" : "a.js";
    Edited lacks{path, Text("function add(a) {}\nadd(1);\n"), {}};
    lacks.put("a)", "a, b)");
    CHECK(is_any_sure(lacks.next()) == is_typed);
    Edited has{path, Text("function add(a, b) {}\n\nadd(1, 2);\n\nadd(1, 3);\n"), {}};
    has.put(", b", "");
    CHECK(!is_any_sure(has.next()));
    has.put(", 2", "");
    CHECK(is_any_sure(has.next()) == is_typed);
  }
}

TEST_CASE("a signature is one in every language with calls") {
  const auto after = [](const char* path, const char* text, const char* old, const char* with) {
    Edited file{path, Text(text), {}};
    file.put(old, with);
    return file.shown();
  };
  CHECK(after("a.c", "int add(int a, int b) { return a; }\nint x = add(1, 2) + add(3, 4);\n",
              ", int b", "") == "2: int x = add(1) + add(3);\n");
  CHECK(after("a.go", "package a\nfunc add(a, b int) int { return a }\nvar x = add(1, 2)\n", "a, b",
              "b") == "3: var x = add(2)\n");
  CHECK(after("a.rs", "fn add(a: i32, b: i32) {}\nfn f() { add(1, 2); }\n", ", b: i32", "") ==
        "2: fn f() { add(1); }\n");
  CHECK(after("a.ts", "const add = (a: number) => a;\nadd(1);\n", "a: number",
              "a: number, b: string") == "2: add() takes 2 arguments now\n");
}

TEST_CASE("a list of one line each loses that line") {
  Edited file{"a.js", Text("function add(\n  a,\n  b,\n) {}\nadd(\n  1,\n  2,\n);\n"), {}};
  file.put("  a,\n", "");
  CHECK(file.shown() == "5:   2,\n");
}

TEST_CASE("the other calls are still told of when one is done") {
  Edited file{"a.js", Text("function add(a) {}\nadd(1);\n\n\nx = 1;\n\nadd(2);\n"), {}};
  file.put("(a)", "(a, b)");
  file.put("add(1)", "add(1, 1)");
  CHECK(file.shown() == "7: add() takes 2 arguments now\n");
  file.put("x = 1", "x = 2");
  CHECK(file.shown() == "");
}

TEST_CASE("an argument is found by its place or its keyword, and goes with its comma") {
  const auto after = [](const char* path, const std::string& text, const char* old) {
    Edited file{path, Text(text), {}};
    file.put(old, "");
    return file.shown();
  };
  const std::string put = "def put(cart, item, price, note=None):\n    pass\n";
  CHECK(after("a.py", put + "put(c, 'a', price=2)\nput(c, 'b', 3)\nput(c, 'c', note=1, price=2)\n",
              "price, ") == "3: put(c, 'a')\n4: put(c, 'b')\n5: put(c, 'c', note=1)\n");
  CHECK(after("a.py", put + "put(c, 'a')\nput(c, 'a', prize=2)\nput(c, 'b', 3, cart=1)\n",
              "price, ") == "");
  CHECK(after("a.py", "def f(a):\n    pass\nf(1,)\nf(\n    1,\n)\nf(x for x in y)\n", "a") ==
        "3: f()\n4: f()\n");
  CHECK(after("a.js", "function f(a) {}\nf(1,);\n", "a") == "2: f();\n");
  // Done before the signature: its last argument is the note.
  Edited file{"a.py", Text(put + "\nput(c, 'a', 1, 'big')\n"), {}};
  file.put("1, ", "");
  file.put("price, ", "");
  CHECK(file.shown() == "");
}

TEST_CASE("calls of a name that something else in the file has, too, stay as they are") {
  const auto after = [](const char* path, const std::string& text, const char* old = ", b") {
    Edited file{path, Text(text), {}};
    file.put(old, "");
    return file.shown();
  };
  const std::string python = "def zork(a, b):\n    pass\nzork(1, 2)\n",
                    script = "function zork(a, b) {}\nzork(1, 2);\n";
  CHECK(after("a.py", python + "x = [zork, zork(3, 4)]\ny.zork = f(zork=zork)\n") ==
        "3: zork(1)\n4: x = [zork, zork(3)]\n");
  for (const char* more : {"def f(zork): zork(1, 2)\n",
                           "zork = f\n",
                           "import zork\n",
                           "import m as zork\n",
                           "from m import zork\n",
                           "from m import f as zork\n",
                           "for zork in x: pass\n",
                           "with x as zork: pass\n",
                           "with x as (y, zork): pass\n",
                           "x = [1 for zork in y]\n",
                           "try: pass\nexcept E as zork: pass\n",
                           "class zork: pass\n",
                           "x = lambda zork: 1\n",
                           "(zork := 1)\n",
                           "x, zork = 1, 2\n",
                           "def f(*zork): pass\n",
                           "from m import *\n",
                           "def f(zork=1): pass\n",
                           "def f():\n    global zork\n",
                           "del zork\n"})
    CHECK_MESSAGE(after("a.py", python + more) == "", more);
  CHECK(after("a.ts", script + "export { zork };\nx.zork(1, 2);\ny = { zork };\n") ==
        "2: zork(1);\n");
  for (const char* more :
       {"const f = zork => zork(1, 2);\n", "function f(zork) {}\n", "let { zork } = x;\n",
        "let [zork] = x;\n", "for (const zork of x) {}\n", "try {} catch (zork) {}\n",
        "zork = 1;\n", "import zork from 'm';\n", "import { x as zork } from 'm';\n",
        "const f = { g(zork) {} };\n", "let { x: zork } = y;\n", "let { zork = 1 } = y;\n",
        "[zork] = x;\n", "class zork {}\n", "import * as zork from 'm';\n"})
    CHECK_MESSAGE(after("a.ts", script + more) == "", more);
  const std::string c = "int zork(int a, int b) { return a; }\n",
                    go = "package a\nfunc zork(a int, b int) {}\n",
                    rust = "fn zork(a: i32, b: i32) {}\n";
  CHECK(after("a.c", c + "int x = zork(1, 2);\n", ", int b") == "2: int x = zork(1);\n");
  CHECK(after("a.c", c + "int f(int (*zork)(int, int)) { return zork(1, 2); }\n", ", int b") == "");
  CHECK(after("a.go", go + "func f() { zork(1, 2) }\n", ", b int") == "3: func f() { zork(1) }\n");
  CHECK(after("a.go", go + "func f() { zork := g; zork(1, 2) }\n", ", b int") == "");
  CHECK(after("a.rs", rust + "fn f() { zork(1, 2); }\n", ", b: i32") == "2: fn f() { zork(1); }\n");
  CHECK(after("a.rs", rust + "fn f() { let zork = g; zork(1, 2); }\n", ", b: i32") == "");
  // Only what is defined at the top.
  CHECK(after("a.py", "def f():\n    def zork(a, b): pass\n    zork(1, 2)\nzork(1, 2)\n") == "");
  CHECK(after("a.py", "class A:\n    def zork(a, b): pass\nzork(1, 2)\n") == "");
  CHECK(after("a.js", "{ function zork(a, b) {} }\nzork(1, 2);\n") == "");
}

TEST_CASE("methods, overloads, variadic functions and other changes of a signature imply nothing") {
  const auto after = [](const char* path, const char* text, const char* old, const char* with) {
    Edited file{path, Text(text), {}};
    file.put(old, with);
    return file.shown();
  };
  CHECK(after("a.py", "class A:\n    def f(self, a):\n        pass\nf(1, 2)\n", ", a", "") == "");
  CHECK(after("a.cpp", "void f(int a, int b) {}\nvoid f(int a) {}\nint x = f(1, 2);\n", ", int b",
              "") == "");
  CHECK(after("a.js", "function f(a, ...b) {}\nf(1, 2);\n", "a, ", "") == "");
  CHECK(after("a.js", "function f(a, b) {}\nf(1, 2);\n", "a, b", "b, a") == "");
  CHECK(after("a.js", "function f(a, b) {}\nf(...c, 2);\n", ", b", "") == "");
}
