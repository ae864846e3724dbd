// A draft as a proposal: from its files to hunks, what a proposal makes of its files, its reverse.
// Pure.
#pragma once

#include "lsp/sessions/proposal.h"

namespace bodkin {

// The hunks of a draft, one for each run of changed lines. The draft's paths are those of `roots`.
std::vector<ProposedFile> proposed_files(const std::vector<ChangedFile>& draft, const Roots& roots);

// The editor has renamed it: from now on it changes the file with the new name.
void adopt_new_name(ProposedFile& file);
void adopt_old_name(ProposedFile& file);  // and back
// The result of applying the pending hunks (or only those listed) to the file.
Offer offer_of(const ProposedFile& file, const std::vector<size_t>* only);
// The offer was written: the hunks that it takes are now applied, or discarded, which is undone, at
// the time `now`.
void become(ProposedFile& file, const Offer& offer, ProposedHunk::State state, int64_t now = 0);

// Identifies the texts that its files have once it is applied; the same before and after that.
uint64_t content_of(const Proposal& proposal);
void set_verification(Proposal& proposal, Verification verification);  // of it as it is now
// A verdict is about exactly one content. `since`: what has happened, if that has changed.
void reconsider_verification(Proposal& proposal, std::string_view since);

// The part that an undo or a redo leaves out because it has changed since: the whole file, or only
// the hunks that have.
enum class LeavesOut { file, hunks };

// The reverse of the applied hunks, as the pending hunks of a proposal: of the files in which all
// of them are as they were applied, or all hunks that are. Errors, for the user: stale (there are
// none), unavailable (nothing is applied).
struct Reverse {
  Proposal proposal;
  std::vector<size_t> hunks;  // the indices
  bool moves_files = false;   // files are created, deleted or renamed
  // The paths of the other files that it had changed, and of those that stay in part, and why, for
  // the user: "a.c has changed since", "line 3 of a.c has changed since".
  std::vector<std::string> left_out;
  std::string why_left_out;
};
// `is_in_the_way`: whether something is where the file's undoing would put one. `is_elsewhere`:
// whether its folder is not open. Both may be empty.
using OfFile = std::function<bool(const ProposedFile&)>;
Result<Reverse> reverse_of(const Proposal& proposal, const OfFile& is_in_the_way = {},
                           const OfFile& is_elsewhere = {}, LeavesOut leaves_out = LeavesOut::file);

// Undone hunks that are to be applied again: the pending hunks of the files in which all of them
// can be, or all that can be. Empty if there are none.
struct Redo {
  std::vector<size_t> hunks;
  std::vector<std::string> left_out;  // and why, as in Reverse
  std::string why_left_out;
};
// `is_in_the_way`: whether something is where the file would be made or moved to.
Redo redo_of(const Proposal& proposal, const OfFile& is_in_the_way, const OfFile& is_elsewhere,
             LeavesOut leaves_out = LeavesOut::file);

}  // namespace bodkin
