// A suggestion for a name that does not exist.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

// " (did you mean apply?)", if there is one name that is as near as a slip of the fingers; else "".
std::string did_you_mean(const std::string& given, const std::vector<std::string>& names);

}  // namespace bodkin
