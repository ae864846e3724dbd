#include "agent/platform/signals.h"

#include <atomic>
#include <thread>

#include "agent/platform/files.h"
#include "agent/platform/windows/native.h"

namespace bodkin::os {

namespace {

std::atomic<int> first_event = 0, report_to = -1, patience = 0;
std::atomic<unsigned> times_let_go = 0;

// On a thread of the system's, which ends the process when it returns from a window's closing.
BOOL WINAPI take_event(DWORD what) {
  const int signal = what == CTRL_C_EVENT || what == CTRL_BREAK_EVENT ? kInterrupt : kHangUp;
  if (signal == kInterrupt && report_to < 0) return TRUE;  // nothing runs
  int first = 0;
  if (!first_event.compare_exchange_strong(first, signal))
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(128 + first));
  const char byte = static_cast<char>(signal);
  if (report_to >= 0) os::write(report_to, &byte, 1);
  const int wait = patience;
  if (signal == kHangUp) {
    ::Sleep(static_cast<DWORD>(wait));
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(128 + signal));
  }
  std::thread([wait, signal, time = times_let_go.load()] {
    ::Sleep(static_cast<DWORD>(wait));
    if (time == times_let_go)
      ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(128 + signal));
  }).detach();
  return TRUE;
}

}  // namespace

void report_ending_signals(int write_to, int patience_ms) {
  let_go_of_ending_signals();
  patience = patience_ms;
  report_to = write_to;
}

void let_go_of_ending_signals() {
  report_to = -1;
  first_event = 0;
  ++times_let_go;
  static const BOOL is_taken = ::SetConsoleCtrlHandler(take_event, TRUE);
  (void)is_taken;
}

void interrupt_this_process() {
  if (report_to >= 0) {
    take_event(CTRL_C_EVENT);
  } else {
    ::TerminateProcess(::GetCurrentProcess(), 128 + kInterrupt);
  }
}

void ignore_broken_pipes() {}

}  // namespace bodkin::os
