// The system calls that proposed code may not make: ways around the walls, and parts of the kernel
// in which a mistake is likely and that no build needs.
#pragma once

namespace bodkin {

// For ever, for this process and what it starts. It has no_new_privs. False: the kernel cannot.
bool forbid_calls();

}  // namespace bodkin
