// Verification: what is known about a proposed text, for the user.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

// That a text can be parsed proves little: checked only `by` kSyntax, it is still `unknown`.
struct Verification {
  enum class State { verified, failed, unknown };
  State state = State::unknown;
  int new_problems = 0;
  std::string by;  // the checker: "make -j2", "clangd", kSyntax; empty: none
};
inline constexpr char kSyntax[] = "the syntax";
// For the user: "checked by make -j2", "only the syntax was checked", "not checked".
std::string in_words(const Verification& verification);
std::string_view name_of(Verification::State state);

Verification verification_of(const Outcome& outcome);  // of the outcome's files
// What the user must know before applying them.
std::vector<std::string> notes_of(const Outcome& outcome);
// Why they may not be applied without review; empty: they may.
std::vector<std::string> objections_of(const Outcome& outcome);

}  // namespace bodkin
