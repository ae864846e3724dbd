#include "lsp/cli/standard_input.h"

namespace bodkin {

void read_keys_of_terminal() {}

bool is_read_by_a_shell(const os::FileStatus&) { return false; }

}  // namespace bodkin
