// ShownMounts: folders of the disk as a sandbox shows them: read-only, and with no way to a program
// outside. Each is an overlay, in which a socket or a pipe is another one than that of the same
// name on the disk, whenever it was made, and by whatever path it is reached. Linux only; for
// sandbox_walls.cpp.
#pragma once

#include <string>
#include <vector>

#include "agent/platform/file_descriptor.h"

namespace bodkin {

class ShownMounts {
 public:
  // `stage`: a folder in memory of our own, for what the overlays are made of.
  explicit ShownMounts(std::string stage) : stage_(std::move(stage)) {}
  // Reads where file systems are mounted, while /proc is the machine's.
  void read_mounts();

  // Opens a folder or a regular file, not attached yet; what is mounted below it is shown, too.
  // Empty: it is neither, or errno says why.
  FileDescriptor of(const std::string& path);
  // True if a folder is not an overlay, since its file system does not support it: sockets and
  // pipes that it shows are those of the disk.
  bool has_channels() const { return has_channels_; }

 private:
  bool has_mounts_below(const std::string& path) const;
  FileDescriptor overlay_of(const std::string& path);
  FileDescriptor in_parts(const std::string& path);
  std::string staged(const char* kind);

  const std::string stage_;
  std::vector<std::string> mounts_;
  bool has_channels_ = false;
  size_t made_ = 0;
};

}  // namespace bodkin
