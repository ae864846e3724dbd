// Verification: the check results for a proposed text, for the user.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

// Source code of which only the syntax was checked is not_checked: that a text can be parsed proves
// little.
struct Verification {
  using State = CheckResult::State;
  State state = State::not_checked;
  int new_problems = 0;  // errors, as far as they can be counted
  std::string by;        // the checkers: "clangd", "make -j2 in a sandbox"; empty: none
  // The findings, or why there are none: "clangd: 2 fixed", "no checker is known for Zig".
  // May be empty.
  std::string found;
  bool syntax_checked = false;  // at least that
  bool is_checking = false;     // its check has not ended
  bool by_servers = false;      // language servers of our own have checked it
  // Not empty: the check is of an earlier text, before this happened: "the text changed".
  std::string outdated;
  std::vector<CheckedProblem> problems;  // new errors and warnings; by the paths of its time
};
// "no new errors", "2 fixed" (and no new ones), "1 new error": part of every verdict.
std::string counts_in_words(size_t added, size_t fixed, std::string_view what = "error");
// The verdict for the user: "✓ clangd: 2 fixed", "✗ clangd: 1 new error", "? only the syntax was
// checked: no checker is known for Zig", "? not checked: …" (not even that), "? checked before the
// text changed (clangd: no new errors)", "? checking…".
std::string in_words(const Verification& verification);
// Its part for what no checker has looked at. `has_syntax`: it was parsed, at least.
std::string not_checked_in_words(bool has_syntax, std::string_view reason);
std::string_view wire_name(Severity severity);  // "error", "warning", "info", "hint"
// The state for the text as it is now: an outdated one is not_checked.
Verification::State state_now(const Verification& verification);

Verification verification_of(const CheckResult& check);
Verification verification_of(const Outcome& outcome);  // of the outcome's files
// Notes that the user must read before applying the edits.
std::vector<std::string> notes_of(const Outcome& outcome);
// Why they may not be applied without review; empty: they may.
std::vector<std::string> objections_of(const Outcome& outcome);

// {"state", "by", "reason", "doubt", "new", "fixed", "remaining"}, as `bodkin verify` and `bodkin
// ask` print it (`bodkin verify --help`).
nlohmann::json json_of(const CheckResult& check);

}  // namespace bodkin
