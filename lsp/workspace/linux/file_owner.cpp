#include "lsp/workspace/file_owner.h"

#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace bodkin {

int give_to(int file, const os::FileStatus& like) {
  return ::fchown(file, like.st_uid, like.st_gid);
}

void copy_attributes(int from, int to) {
  std::string names(4096, '\0'), value(65536, '\0');
  const ssize_t size = ::flistxattr(from, names.data(), names.size());
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&names[at])) + 1) {
    const ssize_t length = ::fgetxattr(from, &names[at], value.data(), value.size());
    if (length >= 0) ::fsetxattr(to, &names[at], value.data(), static_cast<size_t>(length), 0);
  }
}

}  // namespace bodkin
