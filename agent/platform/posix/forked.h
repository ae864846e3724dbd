// Functions for children that we fork. Async-signal-safe.
#pragma once

namespace bodkin::os {

// This process gets the signal when the thread that forked it ends; Linux only, elsewhere it goes
// on. The parent may have ended before: compare getppid().
void end_with_parent(int signal);

}  // namespace bodkin::os
