// Code that not every build has, or that nothing reaches: a checker is silent about it, so its
// silence is no proof.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

struct ConditionalChange {
  size_t line = 0;        // from 0, of the new text: the first changed one below the condition
  std::string condition;  // "#ifdef _WIN32", "#[cfg(windows)]"
};

// C and C++: the changes between #if and #endif, one for each branch; the guard of a header does
// not count. Pure.
std::vector<ConditionalChange> changes_below_if(const ChangedFile& file);

// Rust: the changes below a `cfg` that is not true. `known`: what is set, as rustc prints it
// ("unix", "target_os=\"linux\"", "feature=\"x\""); with "test", code for tests and other code are
// both compiled. Pure.
std::vector<ConditionalChange> changes_below_cfg(const ChangedFile& file,
                                                 const std::set<std::string>& known);

// Python: the changed lines, from 0, with which a statement begins; of more than `most` only so
// many, evenly. Pure.
std::vector<size_t> changed_statements(const ChangedFile& file, size_t most);

}  // namespace bodkin
