#include "lsp/apply/in_place.h"

#include <algorithm>
#include <vector>

#include "agent/platform/files.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

bool is_own_group(gid_t group) {
  std::vector<gid_t> groups(static_cast<size_t>(std::max(::getgroups(0, nullptr), 0)) + 1);
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<size_t>(std::max(count, 0)));
  return group == ::getegid() || std::ranges::find(groups, group) != groups.end();
}

// Whether something is mounted on this very file.
bool is_mounted(const FileDescriptor& directory, const std::string& name) {
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx file {};
  return ::statx(directory.number(), name.c_str(), AT_SYMLINK_NOFOLLOW, 0, &file) == 0 &&
         (file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
  (void)directory, (void)name;
  return false;
#endif
}

}  // namespace

bool can_be_replaced(const ConfinedFolder& folder, const std::string& path) {
  const FileDescriptor directory = folder.directory_of(path);
  const std::string name(last_part(path));
  os::FileStatus file{};
  if (!directory || os::fstatat(directory.number(), name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0)
    return true;
  if (is_mounted(directory, name)) return false;
  const bool can_give = os::geteuid() == 0;
  if (!can_give && (file.st_uid != os::geteuid() || !is_own_group(file.st_gid))) return false;
  return os::faccessat(directory.number(), ".", W_OK | X_OK, AT_EACCESS) == 0;
}

}  // namespace bodkin
