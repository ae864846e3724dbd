// The only directory walk. Links to folders are not followed; unreadable folders are skipped.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace bodkin {

enum class Walk { on, not_below, end };
// Calls `visit` for everything below the folder, each folder before its contents. False: a disk
// error ended it.
bool walk(const std::string& folder,
          const std::function<Walk(const std::filesystem::directory_entry&)>& visit);

}  // namespace bodkin
