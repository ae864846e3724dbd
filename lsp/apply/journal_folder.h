// JournalFolder: where the journal of a change below a root is kept. Never in the root, whose files
// are untrusted, but in the user's private state folder:
//
//   $XDG_STATE_HOME/bodkin/apply/HASH{.journal,.done,.lock}
//
// by default below ~/.local/state.
//
// HASH is of the root's real path. `apply` must belong to the user with mode 0700, or it is not
// used: a folder from a repository has a different mode.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "edits/text/result.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

class JournalFolder {
 public:
  // Creates the folder if needed, and locks the root for its lifetime, waiting for other runs.
  // Errors, a sentence: unavailable (there is no state folder, or it cannot be used); cancelled
  // (`stop`, while it waits).
  static Result<JournalFolder> open(const ConfinedFolder& root, const std::stop_token& stop = {});
  JournalFolder(JournalFolder&&) = default;
  ~JournalFolder();  // also removes the lock file

  int number() const { return directory_.number(); }
  const std::string& path() const { return path_; }
  // Names in it.
  std::string journal() const { return hash_ + ".journal"; }
  std::string draft() const { return hash_ + ".journal.new"; }
  std::string done() const { return hash_ + ".done"; }
  // The bytes of one of them, if it is a file that only the user can read or write; else errno says
  // why (EPERM: it is not).
  std::optional<std::string> read(const std::string& name) const;

 private:
  JournalFolder() = default;
  Result<void> lock(const std::stop_token& stop);

  FileDescriptor directory_;
  FileDescriptor lock_;  // against other runs of the same user
  // Against other users with write access; some file systems cannot lock folders.
  FileDescriptor root_;
  std::string path_, hash_;
};

// True if an interrupted run has left something in this root. Creates and locks nothing.
bool needs_recovery(const ConfinedFolder& root);

// True if this absolute path, without links, is in the journal folder.
bool is_in_journal_folder(const std::string& absolute);

}  // namespace bodkin
