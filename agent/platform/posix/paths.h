#pragma once

#include <filesystem>
#include <string>

namespace bodkin::os {

inline const std::string& text_of(const std::filesystem::path& path) { return path.native(); }

using std::filesystem::canonical;
using std::filesystem::equivalent;
using std::filesystem::is_symlink;
using std::filesystem::read_symlink;
using std::filesystem::remove_all;
using std::filesystem::symlink_status;
using std::filesystem::weakly_canonical;

inline bool is_symlink(const std::filesystem::directory_entry& entry, std::error_code& error) {
  return entry.is_symlink(error);
}

}  // namespace bodkin::os
