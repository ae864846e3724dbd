// What is not given to a parser: texts that no person wrote as code, and over which a parser may lose
// its time where it looks at no clock (inside of one token, in an external scanner).
#pragma once

#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

// Empty, or why the text is not parsed, as a sentence for people. One scan, about a millisecond for
// a megabyte.
std::string_view reason_not_to_parse(const Text& text);

}  // namespace bodkin
