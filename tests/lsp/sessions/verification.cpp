#include "lsp/sessions/verification.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE(
    "only syntax errors and a check that failed are problems; what a command left is a note") {
  Outcome outcome;
  outcome.syntax_checked = true;
  outcome.notes = {"A command made a.txt executable."};
  outcome.verdict = {Verdict::State::passed, "make", "in a sandbox"};
  CHECK(in_words(verification_of(outcome)) == "checked by make in a sandbox");
  CHECK(notes_of(outcome) == std::vector<std::string>{"A command made a.txt executable."});

  outcome.syntax_errors = {"a.c, line 1: syntax error"};
  CHECK(verification_of(outcome).state == Verification::State::failed);
  CHECK(verification_of(outcome).new_problems == 1);
  CHECK(notes_of(outcome).size() == 2);

  outcome.syntax_errors.clear();
  outcome.verdict.state = Verdict::State::not_checked;
  outcome.verdict.reason = "it took too long";
  CHECK(in_words(verification_of(outcome)) == "only the syntax was checked");
  CHECK(notes_of(outcome).back() == "not checked: it took too long");
}
