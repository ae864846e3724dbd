// write_files: many files become what they should be, or none does, also if the disk is full, a
// folder cannot be written, or the process is killed between two files.
//
//   1. The root is locked, and what an interrupted run left is undone.
//   2. The journal, in the person's state folder (journal_folder.h), says what is going to change.
//      It is on the disk before anything else.
//   3. Every new text is written beside its file and synced; every old file gets a second name.
//   4. The new files are renamed into place, each only if the old text is still what was read.
//   5. The journal is renamed to say "done". This is the moment when it has happened.
//   6. The second names go, and then the journal.
//
// A run that ends before 5 is undone: at once if it failed, by the next run if it was killed. Undo
// looks at the texts (their size and hash are in the journal): what is the old text is left alone,
// what is the new text becomes the old one, and what is neither was edited since and is left alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/text/result.h"
#include "lsp/cli/disk_steps.h"
#include "lsp/cli/journal_folder.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

struct FileWrite {
  std::string path;                   // resolved by the folder
  std::optional<std::string> before;  // the text that was read; nothing: there is no file
  std::optional<std::string> after;   // nothing: the file goes
  std::string like = {};              // of a file that moves: from where; it keeps mode and owner
};

// Can these be files, as the folder is? Errors (invalid_input): something that is no regular file
// is in the way, a name is too long or bodkin's own, or two of the paths get in each other's way.
Result<void> check_writes(const ConfinedFolder& folder, const std::vector<FileWrite>& writes);

// A file keeps its mode and owner, and its extended attributes where that is
// allowed; a file that is read-only, or whose owner cannot be kept, is not written.
// Errors: stale (a file is not what was read), unavailable (with the reason); nothing was changed,
// unless the message says that it could not be undone.
Result<void> write_files(const ConfinedFolder& folder, const JournalFolder& journals,
                         const std::vector<FileWrite>& writes, const Fault& fault = {});

// Undoes what an interrupted run left, or clears up behind a finished one. Gives a sentence for
// every file that it had to change back or could not; usually none.
Result<std::vector<std::string>> recover_files(const ConfinedFolder& folder,
                                               const JournalFolder& journals,
                                               const Fault& fault = {});

// A sentence if a journal lies in the root, as earlier versions kept them there; it is not read.
std::optional<std::string> old_journal_in(const ConfinedFolder& folder);

}  // namespace bodkin
