// Where language servers and the TypeScript of one are installed on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agent/checkers/server_table.h"
#include "edits/text/result.h"

namespace bodkin {

// Searched like any program, else where editors and languages put servers for the user alone: those
// folders are often not on the PATH that a desktop gives an editor. Last the folder's own, if those
// `may_run`. Error: unavailable.
Result<std::string> find_server(const std::string& name, const std::string& root, bool may_run);

// The server's command as an editor's extension has brought it. Empty: none has.
std::vector<std::string> server_of_extension(const ServerKind& kind, const std::string& root);

// typescript-language-server takes the workspace's own TypeScript, unless it is told another. That
// is the one that builds the project, but its program comes from the folder.
std::string find_tsserver(const std::string& server, const std::string& root, bool may_run);

// The matching path with the highest version; "" if there is none. `rest` is relative to `folder`,
// with "*" for a part of a name.
std::string newest_match(const std::filesystem::path& folder, std::string_view rest);

}  // namespace bodkin
