// git and rg read the ignore files of the folders that they go through and of all above, and wait
// forever for one that is a pipe.
#pragma once

#include <stop_token>
#include <string>

namespace bodkin {

// Whether there is such a pipe below `folder` or above it. Walks the folder. Thread: any.
bool has_ignore_pipe(const std::string& folder, const std::stop_token& stop);

}  // namespace bodkin
