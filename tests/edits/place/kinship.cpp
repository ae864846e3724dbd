#include <doctest/doctest.h>

#include <string>

#include "edits/place/moved_on.h"
#include "edits/text/text.h"

using namespace bodkin;

namespace {

Kinship kinship(const std::string& quoted, const std::string& ours) {
  return kinship_of(MappedText(Text(ours + "\n")), quoted, ours);
}

}  // namespace

TEST_CASE("words that were replaced by their opposite make another line") {
  for (const auto& [quoted, ours] : {std::pair("set(verbose, true)", "set(verbose, false)"),
                                     {"x = a and b", "x = a or b"},
                                     {"sort(rows, asc)", "sort(rows, desc)"},
                                     {"public void run()", "private void run()"},
                                     {"x = max(a, b)", "x = min(a, b)"}})
    CHECK_MESSAGE(kinship(quoted, ours) == Kinship::other, quoted);
}

TEST_CASE("words that were inserted make the same line, but not a negation or a number") {
  CHECK(kinship("if (ready", "if (ready && open") == Kinship::moved_on);
  CHECK(kinship("run(ready)", "run(ready, open)") == Kinship::moved_on);
  CHECK(kinship("x = ready", "x = open + ready") == Kinship::moved_on);
  CHECK(kinship("run a b", "run ? a b open") == Kinship::other);
  CHECK(kinship("if ready then", "if not ready then") == Kinship::other);
  CHECK(kinship("if ready then", "if never ready then") == Kinship::other);
  CHECK(kinship("step(ready)", "step(ready, 2)") == Kinship::other);
  CHECK(kinship("x = ready", "x = !ready") == Kinship::other);
}

TEST_CASE("a comment at the end and spelling make no other line") {
  CHECK(kinship("run(ready)", "run(ready)  // at once") == Kinship::same);
  CHECK(kinship("say('ready')", "say(\"ready\")") == Kinship::same);
  CHECK(kinship("load_configuration()", "load_configuraton()") == Kinship::same);
  CHECK(kinship("loadConfiguration()", "loadConfiguraton()") == Kinship::same);
  CHECK(kinship("loadUsr()", "loadUser()") == Kinship::renamed);
  CHECK(kinship("open_file(name)", "open_sock(name)") == Kinship::renamed);
  CHECK(kinship("open_file1(name)", "open_file2(name)") == Kinship::other);
}
