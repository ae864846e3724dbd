// rg reads the ignore files of the folders that it searches and of all above, and waits forever for
// one that is a pipe. Thread: any.
#pragma once

#include <stop_token>
#include <string>

namespace bodkin {

// Whether rg would hang searching `folder` of a root, as far as known; then it needs --no-ignore.
// Checks `folder` and its parents.
bool would_rg_hang(const std::string& root, const std::string& folder);

// rg did not finish in this root: if a pipe below it is the reason, this is remembered.
void remember_rg_hang(const std::string& root, const std::stop_token& stop);

}  // namespace bodkin
