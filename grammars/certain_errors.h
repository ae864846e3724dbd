// Which syntax errors are certain. A grammar may be older than the language: what it does not know
// is an error to it, and right code.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "edits/plan/syntax.h"

namespace bodkin {

// Of Syntax::new_errors(), those that prove that `after` is wrong: something in it lacks its other
// half (a bracket, a quote, "fi"), which it has in any version of a language, or nothing but a
// semicolon, or Python's indentation is wrong, or the language is one that no longer changes. Null:
// could not be checked, also because all that is known is that the grammar does not know it.
std::optional<std::vector<size_t>> certain_errors(const Syntax& syntax, std::string_view path,
                                                  const Text& before, const Text& after);

}  // namespace bodkin
