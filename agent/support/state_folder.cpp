#include "agent/support/state_folder.h"

#include <sys/stat.h>

#include <cstdlib>

namespace bodkin {

namespace fs = std::filesystem;

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  // A relative path is to be ignored (XDG Base Directory Specification).
  if (state && *state == '/') return fs::path(state) / "bodkin";
  if (home && *home == '/') return fs::path(home) / ".local" / "state" / "bodkin";
  return {};
}

bool make_private_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  struct stat status {};
  if (::stat(folder.c_str(), &status) == 0) return S_ISDIR(status.st_mode);
  if (!folder.has_relative_path() || !make_private_folder(folder.parent_path())) return false;
  return ::mkdir(folder.c_str(), 0700) == 0;
}

}  // namespace bodkin
