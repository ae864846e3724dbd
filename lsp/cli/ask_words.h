// The command line of `bodkin ask` as a request: the prompt, and the files.
#pragma once

#include <string>

#include "lsp/cli/commands.h"
#include "lsp/sessions/ask_request.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// The folder that the ask is about: --root, else the repository around the current folder, else the
// current folder.
std::string root_of(const AskCommand& options);

// Checks that the profile and the edit format that it names exist. Error: invalid_input, which
// lists the known ones.
Result<void> check_names(const AskCommand& options);

// A text that goes with a request, as it is appended to it: without its secrets, and of a long one
// the beginning, which has a build's first error, and the end, which has its last words. Says what
// is left out.
std::string shown_with_request(const std::string& what, std::string text);

// Includes text piped in with a request on the command line. Errors (invalid_input, for the user):
// there is no prompt, a file does not exist, is not below the folder, or has fewer lines.
Result<AskRequest> request_of(const AskCommand& options, const ConfinedFolder& folder);

}  // namespace bodkin
