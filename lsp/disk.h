// Files that no editor has open, read only: bodkin never writes a workspace file. Any thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "edits/result.h"
#include "edits/text.h"

namespace bodkin::lsp {

// Errors: not_found; invalid_input with a sentence (not a file, too large, not UTF-8 text, or a
// link that leads out of `folder`).
Result<Text> read_from_disk(const std::string& absolute, const std::string& folder);

// The files below `folder` that git does not ignore, relative, sorted, at most `limit`. Without git
// every file, but for hidden folders and node_modules.
std::vector<std::string> list_files(const std::string& folder, size_t limit,
                                    const std::stop_token& stop);

}  // namespace bodkin::lsp
