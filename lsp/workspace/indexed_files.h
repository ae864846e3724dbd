// The files that the index of symbols covers (for those left out see lsp/workspace/indexer.h).
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/roots.h"
#include "edits/text/text.h"

namespace bodkin::lsp {

struct IndexedFile {
  std::string path, absolute, folder;  // folder: the root's
};

// The files of all folders, as on disk now; at most 50,000. `trusted`: see list_files.
std::vector<IndexedFile> files_to_index(const Roots& roots, bool trusted,
                                        const std::stop_token& stop);

bool is_indexed_folder(const std::string& folder);  // a home folder or "/" is no workspace
// Decided by the name; without an extension, by the first line.
bool may_declare_names(std::string_view path);
bool is_about_files(std::string_view path);  // decides which files count: .gitignore
// Generated tables: in many workspaces a tenth of the bytes, and they are never looked up.
bool is_large_and_generated(const Text& text);

}  // namespace bodkin::lsp
