#include "lsp/cli/own_process.h"

#include <windows.h>

#include <cstdio>
#include <string>

#include "agent/platform/terminal.h"
#include "agent/platform/windows/native.h"
#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/terminal_editor.h"

namespace bodkin {

const char kUsualEditor[] = "notepad";

std::string in_process_of_its_own(const std::function<std::string()>& run) {
  const auto mode = os::TerminalMode::now();
  std::string result;
  guarded([&] { result = run(); }, [](const char* what) { say(what); });
  std::fflush(stdout);
  // Restores the state before it.
  os::let_go_of_ending_signals();
  begin_questions();
  if (mode) mode->set(os::TerminalMode::When::drained);
  return result;
}

// A command line without a shell; it gets the console.
bool run_editor(const std::string& command, const std::string& file) {
  auto line = os::wide(command + " \"" + file + "\"");
  if (!line) return false;
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION process{};
  if (!::CreateProcessW(nullptr, line->data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &start,
                        &process))
    return false;
  ::CloseHandle(process.hThread);
  DWORD code = 1;
  ::WaitForSingleObject(process.hProcess, INFINITE);
  ::GetExitCodeProcess(process.hProcess, &code);
  ::CloseHandle(process.hProcess);
  return code == 0;
}

void run_pager(const std::string&, const std::string& text) { put(stderr, text); }

}  // namespace bodkin
