// The conversation of `bodkin ask` in a terminal: requests are typed one after the other, and each
// is an ask of the same session.
#pragma once

#include "lsp/cli/commands.h"

namespace bodkin {

// Whether this command line begins one: it has no request, and the user is at the terminal.
bool begins_conversation(const AskCommand& options);
// Until Ctrl-D or /quit. `options`: of each of its asks. No thread may have been started. Returns
// the exit code.
int converse(const AskCommand& options);

}  // namespace bodkin
