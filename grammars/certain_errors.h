// Decides which syntax errors are certain. A grammar may be older than the language: it reports
// correct code that it does not know as an error.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "edits/plan/syntax.h"

namespace bodkin {

// Those of Syntax::new_errors() that prove that `after` is wrong: something in it lacks its other
// half (a bracket, a quote, "fi"), which any version of a language requires, or it lacks only a
// semicolon, or Python's indentation is wrong, or the language no longer changes. Nullopt: could
// not be checked, or all that is known is that the grammar does not know it.
std::optional<std::vector<size_t>> certain_errors(const Syntax& syntax, std::string_view path,
                                                  const Text& before, const Text& after);

}  // namespace bodkin
