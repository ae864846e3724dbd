// Absolute, normal paths as texts: no '/' at the end but for "/" itself. Nothing is looked up on
// the disk: where links lead is what lies_in() says.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// Below the folder; not the folder itself.
bool is_below(std::string_view path, std::string_view folder);
// What joins to `path` again. Precondition: is_below(path, folder).
std::string path_in(std::string_view path, std::string_view folder);
std::string join_path(std::string_view folder, std::string_view inside);

}  // namespace bodkin
