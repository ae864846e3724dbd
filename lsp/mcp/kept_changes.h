// The changes that `undo` can take back, also in a later process: one file each in the journal's
// folder (lsp/apply/journal_folder.h), with the old texts and the digests of the new ones.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "edits/plan/report.h"
#include "lsp/apply/journal_folder.h"

namespace bodkin::mcp {

struct KeptFile {
  std::string path;                   // before the change; no part of it was a link
  std::optional<std::string> to;      // its path now, if it was moved
  std::optional<std::string> before;  // its old text; nothing: it did not exist
  std::string after;                  // digest_of() its new text
  std::optional<mode_t> mode;         // of a file that was removed
  std::vector<std::string> folders;   // that were made for it, from the top
};

// For what is about to be written. Returns the id; older changes of this root beyond the newest 50
// are forgotten. Error: unavailable.
Result<std::string> keep_change(const JournalFolder& journals, const ConfinedFolder& folder,
                                const std::vector<ChangedFile>& files);
// Error (not_found, a sentence): no such change is kept for this root. `id`: from the model.
Result<std::vector<KeptFile>> kept_change(const JournalFolder& journals, const std::string& id);
// Once the change is taken back: the folders that were made for it, as far as they are empty.
void remove_made_folders(const ConfinedFolder& folder, const std::vector<KeptFile>& files);
void forget_change(const JournalFolder& journals, const std::string& id);

}  // namespace bodkin::mcp
