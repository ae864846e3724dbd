#include "lsp/workspace/file_owner.h"

#include <unistd.h>

namespace bodkin {

int give_to(int file, const os::FileStatus& like) {
  return ::fchown(file, like.st_uid, like.st_gid);
}

void copy_attributes(int, int) {}

}  // namespace bodkin
