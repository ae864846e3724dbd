#include "lsp/apply/held_signals.h"

#include <windows.h>

#include <atomic>
#include <mutex>

namespace bodkin {

namespace {

std::mutex mutex;
size_t count = 0;
std::atomic<DWORD> came_meanwhile = 0;  // 1 + the event

// On a thread of the system's, which ends the process when it returns from a window's closing.
BOOL WINAPI note_event(DWORD event) {
  came_meanwhile = event + 1;
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) {
    const std::lock_guard until_written(mutex);
    return FALSE;
  }
  return TRUE;
}

}  // namespace

HeldSignals::HeldSignals() {
  const std::lock_guard lock(mutex);
  if (count++ > 0) return;
  came_meanwhile = 0;
  ::SetConsoleCtrlHandler(note_event, TRUE);
}

HeldSignals::~HeldSignals() {
  const std::lock_guard lock(mutex);
  if (--count > 0) return;
  ::SetConsoleCtrlHandler(note_event, FALSE);
  if (const DWORD event = came_meanwhile.exchange(0); event == 1 || event == 2)
    ::GenerateConsoleCtrlEvent(event - 1, 0);
}

}  // namespace bodkin
