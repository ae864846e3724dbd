// Makes a folder one of those that the user trusts, in the user's own settings.json.
#pragma once

#include <optional>
#include <string>

#include "edits/text/result.h"

namespace bodkin::lsp {

// The text of a settings.json with one more folder in workspace.trusted; all else stays as it is,
// comments too. Nothing: only a person can tell where it belongs.
std::optional<std::string> with_trusted_folder(const std::string& settings,
                                               const std::string& folder);

// `folder`: absolute. Error, a sentence for the user: unavailable, or invalid_input of the home
// folder and "/", with which nearly everything would be trusted.
Result<void> trust_folder(const std::string& folder);

}  // namespace bodkin::lsp
