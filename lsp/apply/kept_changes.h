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

struct KeptFile : ChangedFile {         // no part of its paths was a link
  std::optional<mode_t> mode;           // of a file that was removed
  std::optional<std::string> encoding;  // of such a file; empty: its text is its bytes
  std::vector<std::string> folders;     // that were made for it, from the top
};

struct KeptChange {
  std::string id, root, by;  // by: "apply", "mcp"; root: absolute, without links
  int64_t time = 0;          // ms since 1970
  std::vector<KeptFile> files;
};

// made: it is in the files. undone: it was taken back, can be made again, and the history cannot
// keep it as it is. question: it was not made, because it needs the user's word; `bodkin apply ID`
// makes it.
enum class Kept { made, undone, question };
// Keeps a change that is about to be written, or asked for. Returns the id; older ones of this root
// and kind beyond the newest 50 are forgotten. Error: unavailable.
Result<std::string> keep_change(const JournalFolder& journals, const ConfinedFolder& folder,
                                std::string_view by, const std::vector<ChangedFile>& files,
                                Kept kept = Kept::made);
// Error (not_found, a sentence): no such change is kept for this root. `id`: from the model.
Result<std::vector<KeptFile>> kept_change(const JournalFolder& journals, const std::string& id,
                                          Kept kept = Kept::made);
// The newest one that is meant, of this root or of any. Locks nothing.
std::optional<KeptChange> newest_change(const std::function<bool(const KeptChange&)>& is_meant,
                                        Kept kept = Kept::made,
                                        const ConfinedFolder* root = nullptr);
// The ids of all that were made, of any root, without reading what they hold.
std::vector<std::string> kept_ids();
// It is that from now on, and was the other before.
void set_kept(const JournalFolder& journals, const std::string& id, Kept kept);
void forget_change(const JournalFolder& journals, const std::string& id, Kept kept = Kept::made);
// The one with this id, or all that were made, of any root. Locks nothing. False: one is still
// there.
bool forget_changes(const std::string& id = "");
// Finds the question of any root. Locks nothing. `id`: anything.
std::optional<KeptChange> kept_question(const std::string& id);

// The folders above these files that are not there yet.
std::set<std::string> folders_to_make(const ConfinedFolder& folder,
                                      const std::vector<ChangedFile>& files);
std::set<std::string> folders_made_for(const std::vector<KeptFile>& files);
// Once the change is taken back: the folders that were made for it, as far as they are empty.
void remove_made_folders(const ConfinedFolder& folder, const std::set<std::string>& made);

}  // namespace bodkin
