#include "agent/checkers/silencers.h"

#include <doctest/doctest.h>

#include "edits/plan/diff.h"

using namespace bodkin;

namespace {

// "line: marker", or "" if the edit silences nothing.
std::string found(const char* language, const char* before, const char* after) {
  const auto silencer = silencer_of(
      change_between("a", Text(std::string(before)), Text(std::string(after))), language);
  return silencer ? std::to_string(silencer->line) + ": " + silencer->marker : "";
}

}  // namespace

TEST_CASE("what silences a checker is found in every spelling that the checker takes") {
  const auto python = [](const char* line) { return found("python", "x = 1\n", line); };
  CHECK(python("y = 1\nx = f()  # type: ignore\n") == "2: # type: ignore");
  CHECK(python("x = f()  #type:ignore[name]\n") == "1: # type: ignore");
  CHECK(python("x = f()  #\u00a0type:\tignore # why\n") == "1: # type: ignore");
  CHECK(python("# pyright: basic, reportUndefinedVariable=false\nx = 1\n") == "1: # pyright:");
  CHECK(python("@typing.no_type_check\ndef f(): g()\n") == "1: no_type_check");
  CHECK(python("if not TYPE_CHECKING: f()\n") == "1: not TYPE_CHECKING");
  CHECK(found("c", "int a;\n", "#pragma clang /* */ diagnostic ignored \"-Wx\"\n") ==
        "1: pragma diagnostic");
  CHECK(found("cpp", "int a;\n", "P(GCC diagnostic ignored \"-Wx\")\n") == "1: diagnostic ignored");
  CHECK(found("typescript", "f();\n", "/* @ts-ignore */ g();\n") == "1: @ts-ignore");
  CHECK(found("javascriptreact", "f();\n", "// @TS-NoCheck\nf();\n") == "1: @ts-nocheck");
}

TEST_CASE("only what is about the lines that the edit writes silences it") {
  CHECK(found("python", "x = 1  # type: ignore\ny = 1\n", "x = 1  # type: ignore\ny = 2\n") == "");
  CHECK(found("python", "x = 1  # type: ignore\n", "x = 2  # type: ignore\n") ==
        "1: # type: ignore");
  CHECK(found("python", "x = 1\n", "x = 2  # noqa: F821, a type: we ignore it\n") == "");
  CHECK(found("python", "x = 1  # type: ignore\n", "") == "");
  CHECK(found("typescript", "// @ts-ignore\n// why\n\nf();\ng();\n",
              "// @ts-ignore\n// why\n\nh();\ng();\n") == "1: @ts-ignore");
  CHECK(found("typescript", "// @ts-ignore\nf();\ng();\n", "// @ts-ignore\nf();\nh();\n") == "");
  CHECK(found("typescript", "f();\n", "g(); // eslint-disable-line\n") == "");
  CHECK(found("c", "int a;\n", "#pragma once\n// a diagnostic is ignored\nint b;\n") == "");
  CHECK(found("rust", "f();\n", "#[allow(dead_code)]\ng();\n") == "");
  CHECK(found("go", "f()\n", "g() //nolint\n") == "");
}
