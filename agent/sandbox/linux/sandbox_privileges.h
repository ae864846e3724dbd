// Takes from a command in a sandbox what it must never be able to do, whatever it sees. Landlock is
// the second line of defence, where folders are not overlays.
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
// calls that sandbox_calls.cpp forbids, and its children can neither trace it nor read its /proc.
// Error: nothing may run.
Result<void> drop_privileges(const Privileges& kept);

// The part of it in sandbox_calls.cpp. False: errno says why.
bool install_syscall_filter(bool unix_sockets);

}  // namespace bodkin
