#include "lsp/apply/in_place.h"

#include <algorithm>
#include <vector>

#include "agent/platform/files.h"

namespace bodkin {

namespace {

bool is_own_group(gid_t group) {
  std::vector<gid_t> groups(static_cast<size_t>(std::max(::getgroups(0, nullptr), 0)) + 1);
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<size_t>(std::max(count, 0)));
  return group == ::getegid() || std::ranges::find(groups, group) != groups.end();
}

}  // namespace

bool can_be_replaced(const ConfinedFolder& folder, const std::string& path) {
  const FileDescriptor directory = folder.directory_of(path);
  const std::string name(last_part(path));
  struct statx file {};
  if (!directory ||
      ::statx(directory.number(), name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &file) != 0)
    return true;
  if ((file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) return false;
  const bool can_give = os::geteuid() == 0;
  if (!can_give && (file.stx_uid != os::geteuid() || !is_own_group(file.stx_gid))) return false;
  return os::faccessat(directory.number(), ".", W_OK | X_OK, AT_EACCESS) == 0;
}

}  // namespace bodkin
