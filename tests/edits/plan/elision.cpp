// What a line says of lines that stay.
#include "edits/plan/elision.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a long word is known if a letter is too many, exchanged, or not doubled") {
  for (const char* line :
       {"// unchnaged", "# ommitted", "# omited", "-- exisiting code", "// uncahnged code",
        "/* rremaining code */", "// remainning code", "# the orignial implementation"}) {
    CHECK_MESSAGE(elision_in(line) >= Elision::likely, line);
  }
  // Other words, and slips that are too far off.
  for (const char* line : {"// exiting", "# emitted", "// unchngd", "// exsitign", "# unchangddd",
                           "// exsiting_", "# omtited_"}) {
    CHECK_MESSAGE(elision_in(line) < Elision::likely, line);
  }
}

TEST_CASE("brackets in brackets, templates and arrows are no words") {
  for (const char* line :
       {"[(no change)]", "[[unchanged]]", "// ((rest of the file))", "// [existing code] ↓",
        "# ↑ existing code", "// ⬆ unchanged", "// ${existing code}", "@@ unchanged @@",
        "... same ...", "=== existing code ===", "~~ unchanged ~~", "... existing user rows ..."}) {
    CHECK_MESSAGE(elision_in(line) >= Elision::likely, line);
  }
  for (const char* line :
       {"((existing))", "{{ unchanged }}", "${existing}", "[(a)](b)", "... send ...",
        "... more of the mail traffic ...", "... existing users buy green apples ...", "[]",
        "↓ first", "[(unchanged]]", "{unchanged}", "{rest}", "// .", "."}) {
    CHECK_MESSAGE(elision_in(line) < Elision::likely, line);
  }
}

TEST_CASE("that code exists, and nothing else, is said beyond doubt") {
  for (const char* line : {"// existing code", "// ${existing code}", "# rest of the code"})
    CHECK_MESSAGE(is_sure_elision(line), line);
  for (const char* line : {"# ... more", "# ... and below"}) {
    CHECK_MESSAGE(elision_in(line) == Elision::likely, line);
  }
}

TEST_CASE("what stays may have any name in a short comment") {
  CHECK(elision_in("# the other blue tests of this file stay") == Elision::likely);
  CHECK(elision_in("# the other big blue tests of this file stay") < Elision::likely);
}

TEST_CASE("what stands for a body is behind what opens one") {
  for (const char* line : {"add(n) { /* ... */ }", "class A { /* ... */ };", "run() { // unchanged",
                           "f(n) { /* ... */ },"}) {
    CHECK_MESSAGE(elides_in_line(line), line);
  }
  for (const char* line :
       {"call();  // ...", "x = 1  # ...", "a, // unchanged", "f(...)", "a[...]"})
    CHECK_MESSAGE(!elides_in_line(line), line);
}
