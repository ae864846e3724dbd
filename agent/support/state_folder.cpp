#include "agent/support/state_folder.h"

#include "agent/platform/files.h"
#include "agent/platform/paths.h"

namespace bodkin {

namespace fs = std::filesystem;

fs::path state_folder() {
  const char* state = os::getenv("XDG_STATE_HOME");
  const char* home = os::getenv("HOME");
  // A relative path is to be ignored (XDG Base Directory Specification).
  if (state && os::is_absolute(state)) return fs::path(state) / "bodkin";
  if (home && os::is_absolute(home)) return fs::path(home) / ".local" / "state" / "bodkin";
  return {};
}

bool make_private_folder(const fs::path& folder) {
  const auto is_there = [&] {  // another process may make it, too
    os::FileStatus status{};
    return os::mkdir(os::text_of(folder).c_str(), 0700) == 0 ||
           (os::stat(os::text_of(folder).c_str(), &status) == 0 && S_ISDIR(status.st_mode));
  };
  if (is_there()) return true;
  return folder.has_relative_path() && make_private_folder(folder.parent_path()) && is_there();
}

}  // namespace bodkin
