// Why the edits of a reply were not placed, on standard error.
#pragma once

#include <string_view>

#include "edits/apply/apply.h"

namespace bodkin {

// A sentence for the person, in the name of the subcommand, and below a heading all that the model
// must be told to correct its edits. `report`: not ok.
void print_refusal(const ApplyReport& report, std::string_view subcommand);

}  // namespace bodkin
