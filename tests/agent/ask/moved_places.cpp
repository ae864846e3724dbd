#include "agent/ask/moved_places.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("the selection of an ask that waited goes with its lines") {
  struct Row {
    const char* name;
    LineRange lines;  // of "a b c d", a line each
    const char* now;
    LineRange wanted;
  };
  for (const Row& row : {
           Row{"nothing changed", {1, 2}, "a\nb\nc\nd\n", {1, 2}},
           Row{"lines above", {1, 2}, "x\ny\na\nb\nc\nd\n", {3, 4}},
           Row{"lines next to it", {1, 2}, "a\nx\nb\ny\nc\nd\n", {2, 3}},
           Row{"lines below", {1, 2}, "a\nb\nc\nx\nd\n", {1, 2}},
           Row{"a line above is gone", {1, 2}, "b\nc\nd\n", {0, 1}},
           Row{"it was changed", {1, 2}, "a\nB\nC\nc\nd\n", {1, 3}},
           Row{"a part of it was changed", {1, 3}, "a\nb\nx\ny\nd\n", {1, 4}},
           Row{"it was changed with the line above", {1, 2}, "X\nY\nZ\nc\nd\n", {0, 3}},
           Row{"it is gone", {1, 2}, "a\nc\nd\n", {1, 1}},
           Row{"to the end", {2, 5}, "x\na\nb\nc\nd\n", {3, 6}},
           Row{"to the end, which has no line end", {2, 5}, "x\na\nb\nc\nd", {3, 5}},
       }) {
    Ask ask;
    ask.selection = Selection{"a.c", row.lines};
    move_places(ask, Text("a\nb\nc\nd\n"), Text(row.now));
    INFO(row.name);
    CHECK(ask.selection->lines.begin == row.wanted.begin);
    CHECK(ask.selection->lines.end == row.wanted.end);
  }
}

TEST_CASE("so do the diagnostics that it is to fix") {
  Ask ask;
  ask.selection = Selection{"a.c", {1, 2}};
  Diagnostic diagnostic;
  diagnostic.lines = {1, 2};
  diagnostic.begin_byte = 3, diagnostic.end_byte = 4;
  ask.diagnostics = {diagnostic};
  move_places(ask, Text("a\n b\nc\n"), Text("x\na\n b\nc\n"));
  CHECK(ask.diagnostics[0].lines == LineRange{2, 3});
  CHECK(ask.diagnostics[0].begin_byte == 5);
  CHECK(ask.diagnostics[0].end_byte == 6);
}
