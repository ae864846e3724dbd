// Programs and parts of bodkin that take over the terminal.
#pragma once

#include <functional>
#include <string>

namespace bodkin {

// Runs it in a process of its own, in the foreground: its Ctrl-C ends it alone, and anything it
// leaves behind is gone with it. `run` returns the result. Windows: in this process, which has no
// fork.
std::string in_process_of_its_own(const std::function<std::string()>& run);

// Runs the user's editor, a shell's command, on this file until it ends. True: it has succeeded.
bool run_editor(const std::string& command, const std::string& file);
// The editor if the environment names none.
extern const char kUsualEditor[];

// Shows the text with the user's pager, a shell's command ("": the usual one), until the user
// leaves it. Windows: the text is written as it is.
void run_pager(const std::string& command, const std::string& text);

}  // namespace bodkin
