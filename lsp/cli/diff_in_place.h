// A diff whose changes are in the files already, as `git diff` prints them, so that they can be
// checked as if they were to be made.
#pragma once

#include <optional>
#include <string_view>

#include "agent/placing/known_files.h"
#include "edits/plan/report.h"

namespace bodkin {

// The changes that the diff has made, with `before` as it was. Nothing: it is no diff, or the files
// are not exactly what it made.
std::optional<ApplyReport> diff_in_place(std::string_view diff, const Files& files);

}  // namespace bodkin
