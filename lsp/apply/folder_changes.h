// Shows and writes changed files without an editor: all of them are written, or none.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"
#include "lsp/apply/held_signals.h"
#include "lsp/apply/write_files.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

// A path that leaves the folder does not exist here. A file in another encoding that .editorconfig
// names, and in which every byte is kept, is read as UTF-8; else its bytes are the text.
class FolderFiles : public Files {
 public:
  // `folder` outlives this.
  explicit FolderFiles(const ConfinedFolder& folder) : folder_(folder) {}
  std::optional<Text> read(std::string_view path) const override;
  std::vector<std::string> paths() const override { return folder_.files(); }
  std::string why_unreadable(std::string_view path) const override;
  Result<std::string> inside(const std::string& path) const override;

 private:
  const ConfinedFolder& folder_;
};

// By path: the files that existed before and come back.
using RemovedFiles = std::map<std::string, RemovedFile, std::less<>>;

// Where the written texts come from: they are new, or were in the same files before.
enum class Texts { added, restored };

// Turns changes into file writes, in the encodings of the files. Links are followed. Errors
// (invalid_input, the end of a sentence): a path leaves the folder, a link would be moved or
// removed, two of the paths are one file, a file's encoding lacks a character, or is not known and
// characters beyond ASCII would be added.
Result<std::vector<FileWrite>> writes_of(const std::vector<ChangedFile>& files,
                                         const ConfinedFolder& folder, Texts texts = Texts::added,
                                         const RemovedFiles& removed = {});

// The folders above these files that are not there yet; and, once the files are gone again, removes
// those that are empty.
std::set<std::string> folders_to_make(const ConfinedFolder& folder,
                                      const std::vector<ChangedFile>& files);
void remove_made_folders(const ConfinedFolder& folder, const std::set<std::string>& made);

// While it exists, no other run writes in this root, and the signals that would end the process are
// only noted, on every thread, unless they are let through; they are delivered when it ends.
class Writing {
 public:
  // Waits for another run in the same root, and undoes what an interrupted one left: see
  // recovered(). Errors: unavailable; stale (another folder has taken the root's place); cancelled
  // (`stop`, while it waits).
  static Result<std::unique_ptr<Writing>> begin(const ConfinedFolder& folder,
                                                const std::stop_token& stop = {});
  // Like begin(), for a subcommand: what was undone is reported on standard error.
  static Result<std::unique_ptr<Writing>> begin_command(const ConfinedFolder& folder,
                                                        std::string_view subcommand);
  Writing(const ConfinedFolder& folder, JournalFolder journals);
  ~Writing();

  // Until the next write(): another run may hold the lock.
  void let_signals_through();
  // All or nothing; see write_files().
  Result<void> write(const std::vector<FileWrite>& writes);
  // Says which files the last write wrote in place, for the user, without a period; usually empty.
  const std::string& in_place_words() const { return in_place_words_; }
  // After an interrupted run, one sentence for every file that was restored or could not be: for
  // the user, without a period. Usually none; nobody has seen the files as they are now.
  const std::vector<std::string>& recovered() const { return recovered_; }

 private:
  const ConfinedFolder& folder_;  // outlives this
  std::unique_ptr<HeldSignals> held_;
  JournalFolder journals_;
  std::vector<std::string> recovered_;
  std::string in_place_words_;
};

// recovered() in one sentence without a period, with at most ten files; empty: nothing.
std::string recovered_words(const Writing& writing);

const char* state_of(const ChangedFile& file);  // created | removed | moved | changed
// "moved a.c -> b.c"; what is only planned: "would move a.c -> b.c".
std::string line_of(const ChangedFile& file, bool is_planned = false);

}  // namespace bodkin
