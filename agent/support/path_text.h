// Absolute, normalized paths as texts, without a trailing '/' except for a root ("/", "C:/"). Never
// looks at the disk; for links see real_path.h.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// False for the folder itself.
bool is_below(std::string_view path, std::string_view folder);
// The path relative to the folder. Precondition: is_below(path, folder).
std::string path_in(std::string_view path, std::string_view folder);
// `inside` below `folder`, which may be relative, too.
std::string join_path(std::string_view folder, std::string_view inside);

}  // namespace bodkin
