// Whether an edit changes only comments and blanks.
#pragma once

#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

// True if both texts are the same code to every compiler: the same tokens in the same syntax tree,
// without errors, and no changed comment is one that tools read ("# type: ignore", "//go:build",
// "// fall through"). False if that is not certain, also without a grammar, or of a text that takes
// long to parse (kParsedAtOnce).
bool is_same_code(std::string_view path, const Text& before, const Text& after);

}  // namespace bodkin
