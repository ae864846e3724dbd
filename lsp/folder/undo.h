// Undo and redo of a proposal from the history, hunk by hunk, on the files of a folder as they are
// now. Nothing is written here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/store.h"
#include "edits/plan/report.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

struct FilesNow {                                                    // by workspace path
  std::function<std::optional<Text>(const std::string& path)> read;  // nothing: not a file
  std::function<bool(const std::string& path)> exists;               // whatever it is
};

FilesNow files_now(const ConfinedFolder& folder);  // which outlives it

struct UndoPlan {
  std::vector<ChangedFile> files;     // to be written, all or none
  RemovedFiles removed;               // for writes_of()
  Proposal before, after;             // the proposal as the history has it, and once they are
  std::vector<std::string> left_out;  // the paths of the files that stay as they are, or in part
  std::string why_left_out;           // for the user: "line 3 of a.c has changed since"
};

// The hunks to apply again: those undone last, without a choice of files; or all of the proposal,
// and if none of that can be, what was shown and never applied.
enum class Redoes { undone, also_discarded };

// `only`: the chosen files, by their paths in the proposal, old or new; empty: all. The halves of a
// move go together. Errors, for the user: not_found (the proposal has no such file), unavailable
// (nothing of it is applied, or was undone), stale (nothing can be, and why).
Result<UndoPlan> plan_undo(Proposal proposal, const Roots& roots, const FilesNow& now,
                           const std::vector<std::string>& only = {});
Result<UndoPlan> plan_redo(Proposal proposal, const Roots& roots, const FilesNow& now,
                           const std::vector<std::string>& only = {},
                           Redoes redoes = Redoes::undone);

// The id of the session's newest proposal of which a part was undone, or never taken, as the
// history has it; empty if there is none.
std::string proposal_to_redo(HistoryStore& store, const std::string& session);

}  // namespace bodkin
