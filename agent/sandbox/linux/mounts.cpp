#include "agent/sandbox/linux/mounts.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace bodkin {

bool set_attributes(const FileDescriptor& tree, uint64_t attributes, bool recursive) {
  struct mount_attr change {};
  change.attr_set = attributes;
  return ::mount_setattr(tree.number(), "", AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0), &change,
                         sizeof change) == 0;
}

FileDescriptor clone_of(const std::string& path, uint64_t attributes, bool recursive) {
  FileDescriptor tree(
      ::open_tree(AT_FDCWD, path.c_str(),
                  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (recursive ? AT_RECURSIVE : 0)));
  if (tree && !set_attributes(tree, attributes, recursive)) return FileDescriptor();
  return tree;
}

bool attach(const FileDescriptor& tree, const std::string& path) {
  return ::move_mount(tree.number(), "", AT_FDCWD, path.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

FileDescriptor new_mount(const char* type, unsigned attributes,
                         std::initializer_list<std::pair<const char*, const char*>> options) {
  FileDescriptor context(::fsopen(type, FSOPEN_CLOEXEC));
  if (!context) return FileDescriptor();
  for (const auto& [key, value] : options) {
    if (::fsconfig(context.number(), FSCONFIG_SET_STRING, key, value, 0) != 0)
      return FileDescriptor();
  }
  if (::fsconfig(context.number(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return FileDescriptor();
  return FileDescriptor(::fsmount(context.number(), FSMOUNT_CLOEXEC, attributes));
}

void make_folders(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    ::mkdir(path.substr(0, end).c_str(), 0755);
    if (end == std::string::npos) return;
  }
}

void make_place(const std::string& path, const FileDescriptor& tree) {
  struct stat status {};
  if (::fstat(tree.number(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) return make_folders(path);
  make_folders(path.substr(0, path.rfind('/')));
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
}

}  // namespace bodkin
