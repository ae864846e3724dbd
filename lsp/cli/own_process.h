// Programs and parts of bodkin that get the terminal for themselves.
#pragma once

#include <functional>
#include <string>

namespace bodkin {

// Runs it in a process of its own, in the foreground: its Ctrl-C ends it alone, and what it leaves
// behind is gone with it. `run` returns what is to be known afterwards. Windows: in this process,
// which has no fork.
std::string in_process_of_its_own(const std::function<std::string()>& run);

// Runs the user's editor, a shell's command, on this file until it ends. True: it has ended well.
bool run_editor(const std::string& command, const std::string& file);
// The editor if the environment names none.
extern const char kUsualEditor[];

// Shows the text with the user's pager, a shell's command ("": the usual one), until that is left.
// Windows: the text is written as it is.
void run_pager(const std::string& command, const std::string& text);

}  // namespace bodkin
