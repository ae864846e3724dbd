#include "grammars/conditional_code.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/plan/diff.h"

using namespace bodkin;

namespace {

// The text with each "old" in it made "new", which is the edit.
ChangedFile edited(const std::string& path, const std::string& text) {
  std::string before = text, after = text;
  for (size_t at; (at = after.find("old")) != after.npos;) after.replace(at, 3, "new");
  return change_between(path, Text(before), Text(after));
}

std::string below_if(const std::string& text) {
  std::string result;
  for (const ConditionalChange& change : changes_below_if(edited("a.c", text)))
    result += std::to_string(change.line) + ": " + change.condition + "; ";
  return result;
}

std::string below_cfg(const std::string& text, const std::set<std::string>& known) {
  std::string result;
  for (const ConditionalChange& change : changes_below_cfg(edited("a.rs", text), known))
    result += std::to_string(change.line) + ": " + change.condition + "; ";
  return result;
}

}  // namespace

TEST_CASE("changes between #if and #endif are found, one for each branch") {
  CHECK(below_if("int old;\n").empty());
  CHECK(below_if("#ifdef A\nint a;\n#endif\nint old;\n").empty());
  CHECK(below_if("#ifdef A\nint old;\nint old;\n#endif\n") == "1: #ifdef A; ");
  CHECK(below_if("#if  A \\\n && B\nint old;\n#else\nint old;\n#endif\n") ==
        "2: #if A \\ && B; 4: #else; ");
  CHECK(below_if("#ifdef A\n#  define old 1\n#endif\n") == "1: #ifdef A; ");
  CHECK(below_if("#ifdef A\n// old\n/* old */\n#endif\n").empty());
  CHECK(below_if("#ifdef A\n#if B\n#endif\nint old;\n#endif\n") == "3: #ifdef A; ");
  CHECK(below_if("char a[] = \"\\\n#if A\";\nint old;\n").empty());
}

TEST_CASE("the guard of a header is no condition") {
  CHECK(below_if("#ifndef A_H\n#define A_H\nint old;\n#endif  // A_H\n").empty());
  CHECK(below_if("#if !defined(A_H)\n#define A_H\nint old;\n#endif\n").empty());
  CHECK(below_if("#ifndef A_H\n#define A_H\n#ifdef B\nint old;\n#endif\n#endif\n") ==
        "3: #ifdef B; ");
  CHECK(below_if("#ifndef A_H\nint old;\n#endif\n") == "1: #ifndef A_H; ");
  CHECK(below_if("#ifndef A\n#define A\n#else\nint old;\n#endif\n") == "3: #else; ");
  CHECK(below_if("#ifndef A\n#define A\n#endif\n#ifdef B\nint old;\n#endif\n") == "4: #ifdef B; ");
}

TEST_CASE("changes below a cfg that is not true are found") {
  const std::set<std::string> known = {"unix", "target_os=\"linux\"", "test", "feature=\"a\""};
  CHECK(below_cfg("fn f() { old(); }\n", known).empty());
  CHECK(below_cfg("#[cfg(unix)]\nfn f() { old(); }\n", known).empty());
  CHECK(below_cfg("#[cfg(windows)]\nfn f() { old(); }\n", known) == "1: #[cfg(windows)]; ");
  CHECK(below_cfg("#[cfg(windows)]\nfn f() {}\nfn g() { old(); }\n", known).empty());
  CHECK(below_cfg("#[cfg(windows)]\n// Why.\n#[inline]\nfn f() { old(); }\n", known) ==
        "3: #[cfg(windows)]; ");
  CHECK(below_cfg("#[cfg(test)]\nmod t {\n  fn f() { old(); }\n}\n", known).empty());
  CHECK(below_cfg("#[cfg(not(test))]\nfn f() { old(); }\n", known).empty());
  CHECK(below_cfg("#[cfg(test)]\nfn f() { old(); }\n", {}) == "1: #[cfg(test)]; ");
  CHECK(below_cfg("#[cfg(all(unix, feature = \"a\", not(feature=\"b\")))]\nfn f() { old(); }\n",
                  known)
            .empty());
  CHECK(
      below_cfg("#[cfg(any(windows, target_os = \"linux\"))]\nfn f() { old(); }\n", known).empty());
  CHECK(below_cfg("#[cfg(feature = \"b\")]\nfn f() { old(); }\n", known) ==
        "1: #[cfg(feature = \"b\")]; ");
  CHECK(below_cfg("#[cfg(not(ours))]\nfn f() { old(); }\n", known) == "1: #[cfg(not(ours))]; ");
  CHECK(below_cfg("#![cfg(windows)]\nfn f() { old(); }\n", known) == "1: #![cfg(windows)]; ");
  CHECK(below_cfg("cfg_if::cfg_if! { if #[cfg(unix)] { fn f() { old(); } } }\n", known) ==
        "0: cfg_if!; ");
}

TEST_CASE("the changed lines with which a statement of Python begins") {
  const auto lines = [](const std::string& text) {
    return changed_statements(edited("a.py", text), 3);
  };
  CHECK(lines("def f():\n    old()\n    # old\n    return 1\n") == std::vector<size_t>{1});
  CHECK(lines("f(\n    old,\n    1)\n") == std::vector<size_t>{0});
  CHECK(lines("if a: old()\n") == std::vector<size_t>{0});
  CHECK(lines("if a:\n    b()\nelif old:\n    old()\n") == std::vector<size_t>{0, 3});
  CHECK(lines("old\nold\nold\nold\nold\nold\n") == std::vector<size_t>{0, 2, 4});
  CHECK(lines("@one\ndef old(): pass\n") == std::vector<size_t>{0});
}
