#pragma once

#include <string>

namespace bodkin {

// Whether `path` is the folder or below it, by where both really are: links are followed, and what
// does not exist yet is where its folder is. Relative paths lie in nothing. Thread: any.
bool lies_in(const std::string& path, const std::string& folder);

}  // namespace bodkin
