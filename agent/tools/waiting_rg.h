// rg reads the ignore files of the folders that it searches and of all above, and waits for ever
// for one that is a pipe. Thread: any.
#pragma once

#include <stop_token>
#include <string>

namespace bodkin {

// Whether rg would wait if it searched `folder` of a root, as far as is known: then it must be told
// --no-ignore. Looks at `folder` and what is above it.
bool would_rg_wait(const std::string& root, const std::string& folder);

// rg did not come to its end in this root: if a pipe below it is why, that is remembered.
void rg_has_waited(const std::string& root, const std::stop_token& stop);

}  // namespace bodkin
