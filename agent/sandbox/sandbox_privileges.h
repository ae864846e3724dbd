// What a command in a sandbox may never do, whatever it sees.
//
// Landlock (its version 4 and later) cannot take the place of hiding by mounts. Its rules allow a
// folder with all below it, and none takes a file away again; writes cannot go to memory; names and
// stat() stay visible. It can forbid pipes (version 2), TCP but not UDP (4), abstract sockets (6),
// and path sockets only by LANDLOCK_ACCESS_FS_RESOLVE_UNIX: with that, unix_sockets below falls
// away. It is the second line, where folders are no overlays.
#pragma once

#include <string>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

struct Privileges {
  bool has_network = false;  // the machine's: only Landlock keeps it from abstract sockets there
  // Not if it sees folders whose sockets and pipes are those of the disk (shown_mounts.h): then it
  // has no Unix sockets but pairs, and may only write to files in `writable`.
  bool unix_sockets = true;
  std::vector<std::string> writable;  // folders
};

// Permanent, also for this process's children: no capabilities and no way to gain any, none of the
// calls that sandbox_calls.h forbids, and its children can neither trace it nor read its /proc.
// Error: nothing may run.
Result<void> drop_privileges(const Privileges& kept);

}  // namespace bodkin
