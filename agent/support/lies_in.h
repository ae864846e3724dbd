#pragma once

#include <string>

namespace bodkin {

// Whether `path` is the folder or below it, after following all links; a path that does not exist
// yet is where its folder is. False for relative paths. Thread: any.
bool lies_in(const std::string& path, const std::string& folder);

}  // namespace bodkin
