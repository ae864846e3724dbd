// The signals that end bodkin from outside: Ctrl-C and the like.
#pragma once

#include <csignal>

namespace bodkin::os {

// The numbers are POSIX's. On Windows SIGINT is Ctrl-C and Ctrl-Break, SIGHUP the closed window,
// the end of the session and the shutdown.
inline constexpr int kInterrupt = 2, kHangUp = 1;

// From now on the first of these signals writes one byte, its number, to this descriptor. A second
// one, or `patience_ms` since the first, ends the process at once with 128 + the first one's
// number. A signal that was ignored before (nohup) stays ignored.
void report_ending_signals(int write_to, int patience_ms);

// Ctrl-C ends this process, as if it had been typed.
void interrupt_this_process();

// SIGPIPE is ignored from now on.
void ignore_broken_pipes();

}  // namespace bodkin::os
