// The system calls that proposed code may not make: ways out of the sandbox, and error-prone parts
// of the kernel that no build needs.
#pragma once

namespace bodkin {

// Permanent, for this process and its children. Precondition: no_new_privs is set. False: the
// kernel does not support it.
bool install_syscall_filter(bool unix_sockets);

}  // namespace bodkin
