// Verification: what is known of a proposed text, for the person.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// That a text can be parsed says little of it: `by` kSyntax alone it is still `unknown`.
struct Verification {
  enum class State { verified, failed, unknown };
  State state = State::unknown;
  int new_problems = 0;
  std::string by;  // who looked: "make -j2", "clangd", kSyntax; empty: nobody
};
inline constexpr char kSyntax[] = "the syntax";
// For the person: "checked by make -j2", "only the syntax was checked", "not checked".
std::string in_words(const Verification& verification);
std::string_view name_of(Verification::State state);

}  // namespace bodkin
