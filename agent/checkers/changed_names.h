// Finds the users of a changed file that may be affected, by the identifiers that they mention.
// Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

// The identifiers through which users of a changed file may be affected: those of the changed
// lines, and the names of the declarations around them. Empty: any user may be affected. `itself`:
// only those that every user of the changed code itself has.
std::set<std::string> changed_names(const std::vector<ChangedFile>& changed, bool itself = false);
bool mentions(std::string_view text, const std::set<std::string>& names);
// Adds the names of the declarations that mention one. False: there are too many, or they are not
// known (macros that paste names, default exports).
bool add_names_of_users(const std::string& path, const Text& text, std::set<std::string>& names);

}  // namespace bodkin
