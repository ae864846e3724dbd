// What stands on the command line of `bodkin ask`, as a request: the prompt, and the files.
#pragma once

#include <string>
#include <vector>

#include "lsp/cli/commands.h"
#include "lsp/sessions/ask_request.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

// The folder that the ask is about: --root, else the repository around the current folder, else the
// current folder.
std::string root_of(const AskCommand& options);

// What is wrong with the settings; one sentence each, for the user.
std::vector<std::string> problems_of(const lsp::Settings& settings);

// Whether the profile and the edit format that it names exist. Error: invalid_input, which names
// those that do.
Result<void> check_names(const AskCommand& options);

// Errors (invalid_input, for the user): there is no prompt, a file does not exist, is not below the
// folder, or has fewer lines.
Result<AskRequest> request_of(const AskCommand& options, const ConfinedFolder& folder);

}  // namespace bodkin
