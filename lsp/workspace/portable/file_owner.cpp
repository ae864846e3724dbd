#include "lsp/workspace/file_owner.h"

#include <unistd.h>
#ifdef __APPLE__
#include <copyfile.h>
#endif

namespace bodkin {

int give_to(int file, const os::FileStatus& like) {
  return ::fchown(file, like.st_uid, like.st_gid);
}

void copy_attributes([[maybe_unused]] int from, [[maybe_unused]] int to) {
#ifdef __APPLE__
  ::fcopyfile(from, to, nullptr, COPYFILE_ACL | COPYFILE_XATTR);
#endif
}

}  // namespace bodkin
