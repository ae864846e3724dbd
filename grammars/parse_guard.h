// Input that is not given to a parser: text that is not plausible code, on which a parser may spend
// unbounded time without checking the clock (inside one token, or in an external scanner).
#pragma once

#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

// Empty, or why the text is not parsed, as a sentence for the user. One scan, about a millisecond
// per megabyte.
std::string_view reason_not_to_parse(const Text& text);

}  // namespace bodkin
