#include "agent/platform/files.h"

#include <dirent.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace bodkin::os {

std::optional<std::vector<std::string>> names_in(int folder) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(again < 0 ? nullptr : ::fdopendir(again),
                                                    ::closedir);
  if (!entries) {
    if (again >= 0) ::close(again);
    return std::nullopt;
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

std::optional<std::string> path_of_existing(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         std::free);
  return real ? std::optional<std::string>(real.get()) : std::nullopt;
}

bool make_unique_folder(std::string& path) { return ::mkdtemp(path.data()) != nullptr; }

}  // namespace bodkin::os
