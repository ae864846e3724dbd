// Mounts by file descriptor (the mount API of Linux 5.2 and later). Failures: errno says why. Linux
// only; for sandbox_walls.cpp.
#pragma once

#include <sys/mount.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "agent/platform/file_descriptor.h"

namespace bodkin {

// The attributes of everything that a sandbox shows of the disk.
inline constexpr uint64_t kClosed = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

// A second mount of `path`, not attached yet.
FileDescriptor clone_of(const std::string& path, uint64_t attributes, bool recursive = true);
// A new file system, not attached yet.
FileDescriptor new_mount(const char* type, unsigned attributes,
                         std::initializer_list<std::pair<const char*, const char*>> options = {});
bool set_attributes(const FileDescriptor& tree, uint64_t attributes, bool recursive);
bool attach(const FileDescriptor& tree, const std::string& path);

void make_folders(const std::string& path);  // with their parents
// Creates a mount point for `tree`, with its parent folders.
void make_place(const std::string& path, const FileDescriptor& tree);

}  // namespace bodkin
