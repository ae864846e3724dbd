#pragma once

#include "agent/platform/files.h"

namespace bodkin {

// From now on standard input is the terminal, if there is one. Windows: it stays as it is.
void read_keys_of_terminal();

// Whether a shell around this program reads the same pipe: it runs a loop ("ls | while read -r f;
// do bodkin ask … "$f"; done") or a hook of git, whose next lines would be gone. Other programs
// between, such as timeout, only hand it on.
// Linux alone; false elsewhere.
bool is_read_by_a_shell(const os::FileStatus& pipe);

}  // namespace bodkin
