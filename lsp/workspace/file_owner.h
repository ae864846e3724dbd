#pragma once

#include "agent/platform/files.h"

namespace bodkin {

// The open file belongs to the owner and group of `like` from now on. -1: see errno. Windows: it
// stays the user's.
int give_to(int file, const os::FileStatus& like);

// Extended attributes (on macOS the access list, too), as far as the system lets the user set them.
// Linux and macOS alone.
void copy_attributes(int from, int to);

}  // namespace bodkin
