#include "lsp/sessions/verification.h"

#include <doctest/doctest.h>

#include "lsp/sessions/proposal_draft.h"

using namespace bodkin;

namespace {

CheckResult check_of(CheckResult::State state, size_t fixed, size_t added) {
  CheckResult check;
  check.state = state;
  check.by = {"clangd"};
  check.fixed.resize(fixed);
  check.added.resize(added,
                     {"a.c", 3, Severity::error, "no_member", "no member named 'x'", "clang"});
  return check;
}

}  // namespace

TEST_CASE(
    "only syntax errors and a check that failed are problems; what a command left is a note") {
  Outcome outcome;
  outcome.syntax_checked = true;
  outcome.notes = {"A command made a.txt executable."};
  outcome.verdict = {Verdict::State::passed, "make", "in a sandbox"};
  CHECK(in_words(verification_of(outcome)) == "✓ make in a sandbox");
  CHECK(notes_of(outcome) == std::vector<std::string>{"A command made a.txt executable."});

  outcome.syntax_errors = {"a.c, line 1: syntax error"};
  CHECK(verification_of(outcome).state == Verification::State::problems);
  CHECK(verification_of(outcome).new_problems == 1);
  CHECK(in_words(verification_of(outcome)) == "✗ syntax: 1 new error");
  CHECK(notes_of(outcome).size() == 2);

  outcome.syntax_errors.clear();
  outcome.verdict.state = Verdict::State::not_checked;
  outcome.verdict.reason = "it took too long";
  CHECK(in_words(verification_of(outcome)) == "? only the syntax was checked: it took too long");
  CHECK(notes_of(outcome).back() == "only the syntax was checked: it took too long");

  CHECK(in_words(verification_of(Outcome())) == "? not checked");
  outcome.verdict = {};
  CHECK(in_words(verification_of(outcome)) == "? only the syntax was checked");
}

TEST_CASE("a verdict says who has checked what, and never more") {
  using State = CheckResult::State;
  struct Row {
    CheckResult check;
    Verdict verdict;
    const char* words;
    Verification::State state;
  };
  const Verdict none, passed{Verdict::State::passed, "make", "in a sandbox"},
      failed{Verdict::State::failed, "make", "in a sandbox", "make fails"},
      not_run{Verdict::State::not_checked, "make", "", "make took too long"};
  CheckResult no_server;
  no_server.reason = "no checker is known for Zig";
  CheckResult nothing = check_of(State::clean, 0, 0);
  nothing.by.clear();
  CheckResult same_code = check_of(State::clean, 0, 0);
  same_code.by = {kByTokens};
  const auto clean = Verification::State::clean, problems = Verification::State::problems,
             not_checked = Verification::State::not_checked;
  const Row rows[] = {
      {check_of(State::clean, 2, 0), none, "✓ clangd: 2 fixed", clean},
      {check_of(State::clean, 0, 0), none, "✓ clangd: no new errors", clean},
      {check_of(State::problems, 2, 1), none, "✗ clangd: 1 new error", problems},
      {same_code, none, "✓ only comments and blanks change", clean},
      {no_server, none, "? only the syntax was checked: no checker is known for Zig", not_checked},
      {nothing, none, "✓ nothing to check", clean},
      {check_of(State::clean, 0, 0), passed, "✓ clangd: no new errors; make in a sandbox", clean},
      {no_server, passed, "✓ make in a sandbox", clean},
      {check_of(State::problems, 0, 1), passed, "✗ clangd: 1 new error", problems},
      {check_of(State::clean, 0, 0), failed, "✗ make fails", problems},
      {check_of(State::problems, 0, 1), failed, "✗ clangd: 1 new error; make fails", problems},
      {check_of(State::clean, 0, 0), not_run,
       "? not checked: make took too long (clangd: no new errors)", not_checked},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    Outcome outcome;
    outcome.syntax_checked = true;
    outcome.check = row.check;
    outcome.verdict = row.verdict;
    CHECK(in_words(verification_of(outcome)) == row.words);
    CHECK(verification_of(outcome).state == row.state);
  }
  Outcome outcome;
  outcome.check = check_of(State::problems, 0, 1);
  CHECK(notes_of(outcome) ==
        std::vector<std::string>{"a.c, line 3: no member named 'x' (clang no_member)"});
}

TEST_CASE("a verdict is of one content: what has changed since makes it outdated") {
  ChangedFile draft;
  draft.path = "a.c";
  draft.before = Text("int a;\nint b;\nint c;\n");
  draft.after = Text("long a;\nint b;\nlong c;\n");
  Proposal proposal;
  proposal.files = proposed_files({draft}, {});
  REQUIRE(proposal.hunk_count() == 2);
  set_verification(proposal, verification_of(check_of(CheckResult::State::clean, 0, 0)));
  const auto words = [&] { return in_words(proposal.verification); };
  CHECK(words() == "✓ clangd: no new errors");

  proposal.files[0].hunks[1].state = ProposedHunk::State::discarded;
  reconsider_verification(proposal, "a part of it was discarded");
  CHECK(words() == "? checked before a part of it was discarded (clangd: no new errors)");
  CHECK(state_now(proposal.verification) == Verification::State::not_checked);

  proposal.files[0].hunks[1].state = ProposedHunk::State::pending;
  reconsider_verification(proposal, "the text changed");
  CHECK(words() == "✓ clangd: no new errors");

  // Taken: the same content as before.
  proposal.files[0].text = *draft.after;
  for (ProposedHunk& hunk : proposal.files[0].hunks) hunk.state = ProposedHunk::State::applied;
  reconsider_verification(proposal, "the text changed");
  CHECK(words() == "✓ clangd: no new errors");

  // An outdated one that is set once more is not of what there is now.
  proposal.files[0].hunks[1].state = ProposedHunk::State::discarded;
  proposal.files[0].text = Text("long a;\nint b;\nint c;\n");
  reconsider_verification(proposal, "a part of it was undone");
  set_verification(proposal, Verification(proposal.verification));
  reconsider_verification(proposal, "the text changed");
  CHECK(words() == "? checked before a part of it was undone (clangd: no new errors)");
}
