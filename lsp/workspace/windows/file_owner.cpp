#include "lsp/workspace/file_owner.h"

namespace bodkin {

int give_to(int, const os::FileStatus&) { return 0; }

void copy_attributes(int, int) {}

}  // namespace bodkin
