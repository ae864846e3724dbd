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
    return changed_calls(path, text, *edit, recent.earlier());
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
  CHECK(file.shown() == "4: greet('Ada', 2)\n5: greet('Bob', times=3)\n");
  CHECK(file.next().what == "greet() takes fewer arguments");
}

TEST_CASE("calls that lack an argument are told of") {
  Edited file{"a.py", Text(kGreet), {}};
  file.put("loud, times", "loud, room, times");
  CHECK(file.shown() == "7: greet() takes at least 3 arguments now\n");
  Edited optional{"a.py", Text(kGreet), {}};
  optional.put("times=1", "times=1, room=None");
  CHECK(optional.shown() == "");
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
