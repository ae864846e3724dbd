// The changes of `bodkin apply` and `bodkin mcp` that can be taken back, also in a later process:
// one file each in the journal's folder (lsp/apply/journal_folder.h), with the old and the new
// texts.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"
#include "lsp/apply/journal_folder.h"

namespace bodkin {

struct KeptFile {
  std::string path;                     // before the change; no part of it was a link
  std::optional<std::string> to;        // its path now, if it was moved
  std::optional<std::string> before;    // its old text; nothing: it did not exist
  std::string after;                    // digest_of() its new text
  std::optional<std::string> text;      // the new one; nothing: it was removed, or was not kept
  std::optional<mode_t> mode;           // of a file that was removed
  std::optional<std::string> encoding;  // of such a file; empty: its text is its bytes
  std::vector<std::string> folders;     // that were made for it, from the top
};

struct KeptChange {
  std::string id, root, by;  // by: "apply", "mcp"; root: absolute, without links
  int64_t time = 0;          // ms since 1970
  std::vector<KeptFile> files;
};

// For what is about to be written. Returns the id; older changes of this root beyond the newest 50
// are forgotten. Error: unavailable.
Result<std::string> keep_change(const JournalFolder& journals, const ConfinedFolder& folder,
                                std::string_view by, const std::vector<ChangedFile>& files);
// Whether a change is in the files, or was taken back and can be made again.
enum class Kept { made, undone };
// Error (not_found, a sentence): no such change is kept for this root. `id`: from the model.
Result<std::vector<KeptFile>> kept_change(const JournalFolder& journals, const std::string& id,
                                          Kept kept = Kept::made);
// The newest one that is meant, of this root or of any, with all its texts. Locks nothing.
std::optional<KeptChange> newest_change(const std::function<bool(const KeptChange&)>& is_meant,
                                        Kept kept = Kept::made,
                                        const ConfinedFolder* root = nullptr);
// The ids of all of them, of any root, without reading what they hold.
std::vector<std::string> kept_ids();
// It is that from now on, and was the other before.
void set_kept(const JournalFolder& journals, const std::string& id, Kept kept);
void forget_change(const JournalFolder& journals, const std::string& id);
// Of any root. Locks nothing. False: it, or one of all, is still there.
bool forget_change(const std::string& id);
bool forget_all_changes();

// A change that was not made because it needs the user's word; `bodkin apply ID` makes it. Returns
// the id; of each root the newest 50 are kept. Error: unavailable.
Result<std::string> keep_question(const JournalFolder& journals, const ConfinedFolder& folder,
                                  const std::vector<ChangedFile>& files);
// Of any root. Locks nothing.
std::optional<KeptChange> kept_question(const std::string& id);
void forget_question(const JournalFolder& journals, const std::string& id);

// The folders above these files that are not there yet.
std::set<std::string> folders_to_make(const ConfinedFolder& folder,
                                      const std::vector<ChangedFile>& files);
std::set<std::string> folders_made_for(const std::vector<KeptFile>& files);
// Once the change is taken back: the folders that were made for it, as far as they are empty.
void remove_made_folders(const ConfinedFolder& folder, const std::set<std::string>& made);

}  // namespace bodkin
