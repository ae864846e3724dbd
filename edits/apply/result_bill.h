// What became of a file that a reply shows as a whole or as a sketch, line for line, for people
// (`bodkin apply --why`).
#pragma once

#include <string>
#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

// How many lines stay, go and are new; then for each the file's line and the line of `shown`, the
// text as it was sent, that says so. Ends with a line end. `is_sketch`: what it does not show
// stays.
std::string bill_of_result(const Text& before, const Text& after, std::string_view shown,
                           bool is_sketch);

}  // namespace bodkin
