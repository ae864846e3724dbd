// A diff whose changes are in the files already, as `git diff` prints them, so that they can be
// checked as if they were to be made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

// The changes that the diff has made, with `before` as it was. Nullopt: not a diff, or the files
// are not exactly what it made. `passed_over`: the paths whose changes git does not print as text.
std::optional<ApplyReport> diff_in_place(std::string_view diff, const Files& files,
                                         std::vector<std::string>& passed_over);

}  // namespace bodkin
