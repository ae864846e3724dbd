// The subcommands' messages to people, on standard error.
#pragma once

#include <string_view>

#include "edits/apply/apply.h"

namespace bodkin {

// "bodkin apply: WORDS." On a terminal it is broken between its words. `subcommand`: empty for
// bodkin itself.
void say_as(std::string_view subcommand, std::string_view words);

// Why a reply was refused, and what the model should be told. `folder`: the one that its paths are
// relative to.
void print_refusal(const ApplyReport& report, std::string_view subcommand, std::string_view folder);

}  // namespace bodkin
