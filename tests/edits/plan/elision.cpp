// What a line says of lines that stay.
#include "edits/plan/elision.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("words of a remark about code that stays elide, others do not") {
  for (const char* line : {"// unchanged", "# omitted", "-- existing code", "# the original code",
                           "// ... existing user rows ...", "... same ...", "=== existing code ===",
                           "[no change]", "// leave as is", "// 5 more lines", "# do not touch"}) {
    CHECK_MESSAGE(elision_in(line) >= Elision::perhaps, line);
  }
  for (const char* line :
       {"// exiting", "# emitted", "((existing))", "${existing}", "[(a)](b)", "... send ...", "[]",
        "... existing users buy green apples ...", "{unchanged}", "{rest}", "// .", ".",
        "...rest, ...others", "...existing.items,"}) {
    CHECK_MESSAGE(elision_in(line) < Elision::likely, line);
  }
}

TEST_CASE("that code exists, and nothing else, is said beyond doubt") {
  for (const char* line : {"// existing code", "# rest of the code"})
    CHECK_MESSAGE(is_sure_elision(line), line);
  CHECK(elision_in("# ... and below") == Elision::likely);
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
