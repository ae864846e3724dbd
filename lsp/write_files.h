// write_files: many files become what they should be, or none does, also if the disk is full, a
// folder cannot be written, or the process is killed between two files.
//
//   1. The folder is locked, and what an interrupted run left is undone.
//   2. `.bodkin-apply-journal` says what is going to change. It is on the disk before anything
//   else.
//   3. Every new text is written beside its file and synced; every old file gets a second name.
//   4. The new files are renamed into place, each only if the old text is still what was read.
//   5. The journal is renamed to `.bodkin-apply-done`. This is the moment when it has happened.
//   6. The second names go, and then `.bodkin-apply-done`.
//
// A run that ends before 5 is undone: at once if it failed, by the next run if it was killed. Undo
// looks at the texts (their size and hash are in the journal): what is the old text is left alone,
// what is the new text becomes the old one, and what is neither was edited since and is left alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/result.h"
#include "lsp/confined_folder.h"

namespace bodkin {

struct FileWrite {
  std::string path;                   // resolved by the folder
  std::optional<std::string> before;  // the text that was read; nothing: there is no file
  std::optional<std::string> after;   // nothing: the file goes
  std::string like = {};              // of a file that moves: from where; it keeps mode and owner
};

// Called before every step that changes the disk, with its name; what it returns other than 0 is
// the errno with which the step fails instead of being made. For tests.
using Fault = std::function<int(std::string_view step)>;

// Holds the folder for this process; waits for another one that holds it.
class FolderLock {
 public:
  explicit FolderLock(const ConfinedFolder& folder);
  ~FolderLock();

 private:
  int number_;
};

// Can these be files, as the folder is? Errors (invalid_input): something that is no regular file
// is in the way, a name is too long or bodkin's own, or two of the paths get in each other's way.
Result<void> check_writes(const ConfinedFolder& folder, const std::vector<FileWrite>& writes);

// Both need the lock. A file keeps its mode and owner, and its extended attributes where that is
// allowed; a file that is read-only, or whose owner cannot be kept, is not written.
// Errors: stale (a file is not what was read), unavailable (with the reason); nothing was changed,
// unless the message says that it could not be undone.
Result<void> write_files(const ConfinedFolder& folder, const std::vector<FileWrite>& writes,
                         const Fault& fault = {});

// Undoes what an interrupted run left, or clears up behind a finished one. Gives a sentence for
// every file that it had to change back or could not; usually none.
Result<std::vector<std::string>> recover_files(const ConfinedFolder& folder,
                                               const Fault& fault = {});
bool needs_recovery(const ConfinedFolder& folder);

}  // namespace bodkin
