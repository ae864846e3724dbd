// write_files: changes many files, all or none, even if the disk is full, a folder is not writable,
// or the process is killed midway.
//
//   1. The root is locked, and what an interrupted run left behind is undone.
//   2. The journal, in the user's state folder (journal_folder.h), lists what is going to change.
//      It is on disk before anything else.
//   3. Every new text is written next to its file and synced; every old file gets a second name.
//   4. The new files are renamed into place, each only if the old text is still what was read.
//   5. The journal is renamed to "done". From this moment on the change is in effect.
//   6. The second names are removed, and then the journal.
//
// A file that cannot be replaced (it belongs to someone else, its folder is not writable, it is
// itself a mount) is written in place: in 3 its two texts are put beside the journal, in 4 the new
// one is written over the old one.
//
// A run that ends before 5 is undone: at once if it failed, by the next run if it was killed. Undo
// compares the texts (their size and hash are in the journal): an old text is left alone, a new
// text, also one that was written half over the old one, is replaced by the old one, and anything
// else has been edited since and is left alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/text/result.h"
#include "lsp/apply/journal_folder.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/disk_steps.h"

namespace bodkin {

struct FileWrite {
  std::string path;                   // resolved by the folder
  std::optional<std::string> before;  // the text that was read; nothing: there is no file
  std::optional<std::string> after;   // nothing: the file is removed
  std::string like = {};              // for a moved file: its old path; it keeps mode and owner
  mode_t mode = 0666;                 // of a file that is created, less the umask
};

// Whether the folder can have these files. Errors (invalid_input): something that is not a regular
// file is in the way, a name is too long or bodkin's own, or two of the paths conflict.
Result<void> check_writes(const ConfinedFolder& folder, const std::vector<FileWrite>& writes);

// A file keeps its mode and owner, and its extended attributes if permitted; a file that is
// read-only is not written. Returns the paths of those that were written in place. Errors: stale (a
// file is not what was read), unavailable (with the reason); nothing was changed, unless the
// message says that undoing failed.
Result<std::vector<std::string>> write_files(const ConfinedFolder& folder,
                                             const JournalFolder& journals,
                                             const std::vector<FileWrite>& writes,
                                             const Fault& fault = {});

// Undoes an interrupted run, or cleans up after a finished one. Returns a sentence for every file
// it restored or could not restore; usually none.
Result<std::vector<std::string>> recover_files(const ConfinedFolder& folder,
                                               const JournalFolder& journals,
                                               const Fault& fault = {});

}  // namespace bodkin
