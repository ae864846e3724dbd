// The one walk through a folder. Links to folders are not followed, folders that may not be read
// are left out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace bodkin {

enum class Walk { on, not_below, end };
// Calls `visit` for everything below the folder, a folder before what it holds. False: it ended
// with an error of the disk's.
bool walk(const std::string& folder,
          const std::function<Walk(const std::filesystem::directory_entry&)>& visit);

}  // namespace bodkin
