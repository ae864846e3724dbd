#include "edits/text/comments.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a comment is told from code that begins alike") {
  for (const std::string_view line :
       {"// x",        "  /* x",  "*/",    "**/",     "*",          " * text",       " * if (x) {",
        "# x",         "#",       "#x",    "#######", "##x",        "#     [0] = {", "-- x",
        "---@param a", "--[[ x",  "---",   "--> x",   "<!-- x -->", "{/* x */}",     "{{!-- x",
        ";; x",        "; x",     "% x",   "%% x",    "dnl x",      "\" x of Vim",   "{{! x }}",
        "{{/* x */}}", "{# x #}", "#x = 1"}) {
    CAPTURE(line);
    CHECK(is_comment(line));
  }
  for (const std::string_view line :
       {"",           "x // y",     "/x/.test(y)",  "#include <x>", "#if X",       "#endif",
        "#ifdef x",   "#ifdef X",   "#ifndef X",    "#undef X",     "#define X 1", "#[test]",
        "#!/bin/sh",  "#id {",      "#id, #other,", "#size;",       "#size = 0;",  "{#if x}",
        "{{ x }}",    "## Heading", "#### Heading", "* {",          "* > a {",     "*p = 0;",
        "**kwargs",   "--count;",   "--flag \\",    "-x",           "<p>",         "{ x }",
        "{% if x %}", ";",          "%d",           "dnlx",         "\" x\"",      "\"x\""}) {
    CAPTURE(line);
    CHECK_FALSE(is_comment(line));
  }
}

TEST_CASE("a comment begins behind code at its sign") {
  for (const char* rest : {"// x", "# x", "/* x", "-- x", "<!-- x"}) CHECK(opens_comment(rest));
  for (const char* rest : {"/ x", "#x", "--x", "<x", ""}) CHECK_FALSE(opens_comment(rest));
}
