#include "agent/support/user_folders.h"

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/path_text.h"

namespace bodkin {

namespace fs = std::filesystem;

std::string absolute_variable(const char* name) {
  const char* const value = os::getenv(name);
  return value && os::is_absolute(value) ? os::inner_form(value) : "";
}

std::string home_folder() { return absolute_variable("HOME"); }

std::string user_folder(const char* variable, std::string_view in_home) {
  std::string folder = absolute_variable(variable);
  if (!folder.empty()) return folder;
  const std::string home = home_folder();
  return home.empty() ? "" : join_path(home, in_home);
}

fs::path state_folder() {
  const std::string folder = user_folder("XDG_STATE_HOME", ".local/state");
  return folder.empty() ? fs::path() : fs::path(folder) / "bodkin";
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
