// JournalFolder: where the journal of a change below a root is kept. Never in the root, whose files
// come from somebody else, but in the person's state folder, where nobody else writes:
//
//   $XDG_STATE_HOME/bodkin/apply/HASH.{journal,done,lock}, by default below ~/.local/state
//
// HASH is of the root's real path. `apply` belongs to the person with mode 0700, else it is not
// used: a folder that came with a repository has another mode.
#pragma once

#include <optional>
#include <string>

#include "edits/text/result.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

class JournalFolder {
 public:
  // Makes the folder if there is none, and holds the root as long as it lives: waits for another
  // run in it. Error (unavailable, a sentence): there is no state folder, or it cannot be used.
  static Result<JournalFolder> open(const ConfinedFolder& root);
  JournalFolder(JournalFolder&&) = default;
  ~JournalFolder();  // the lock's file goes, too

  int number() const { return directory_.number(); }
  const std::string& path() const { return path_; }
  // Names in it.
  std::string journal() const { return hash_ + ".journal"; }
  std::string draft() const { return hash_ + ".journal.new"; }
  std::string done() const { return hash_ + ".done"; }
  // The bytes of one of them, if it is a file that only the person can read or write; else errno
  // says why (EPERM: it is not).
  std::optional<std::string> read(const std::string& name) const;

 private:
  JournalFolder() = default;
  Result<void> lock();

  FileDescriptor directory_;
  FileDescriptor lock_;  // this person's
  FileDescriptor root_;  // for other people who may write there; some file systems lock no folders
  std::string path_, hash_;
};

// Is there a journal of an interrupted run in this root? Makes and locks nothing.
bool needs_recovery(const ConfinedFolder& root);

// Is this absolute path, without links, in the folder of the journals?
bool is_in_journal_folder(const std::string& absolute);

}  // namespace bodkin
