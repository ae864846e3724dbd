// Proposals: changes that wait for the person, kept true while the person types.
//
// A hunk is a region [begin, end) of its document as it is now. Every change of the document moves
// the regions behind it; a change that touches a region makes the hunk say what it is from its
// bytes alone:
//
//     the region holds …    the old text     the new text     anything else
//     the hunk is           pending          applied          stale
//
// So the server needs nobody's word for what happened: a hunk that was taken through a code action,
// typed by hand or undone is seen as what it is. What was applied and has its old text again was
// undone: the person rejects it, it is `discarded` and not offered any more. Pure but for the ids;
// main thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/ask/draft.h"
#include "edits/apply/apply.h"

namespace bodkin::lsp {

struct ProposedHunk {
  enum class State { pending, applied, stale, discarded };
  size_t index = 0;           // over the whole proposal
  size_t begin = 0, end = 0;  // bytes of the file's text as it is now
  std::string old_text, new_text;
  std::string above, below;  // the lines beside it that its block begins and ends with, as the
                             // model saw them; "": others
  MatchQuality quality = MatchQuality::exact;  // the loosest of its file's hunks
  State state = State::pending;
  bool touched = false;      // in this notification
  bool was_applied = false;  // at some time: with its old text it is not pending but undone

  // Does it still stand in that block?
  bool is_between(const Text& now) const;
  // Its region may be flipped to the new text: it is not applied, but could be.
  bool has_old_text() const {
    return state == State::pending || (state == State::discarded && was_applied);
  }
};

// What a file becomes if the editor takes what it was offered.
struct Offer {
  struct Region {
    size_t begin = 0, end = 0;
    bool taken = false;
  };
  Text text;
  std::map<size_t, Region> regions;  // in `text`, by the hunk's index
  bool undo = false;                 // the taken hunks get their old text
};

struct ProposedFile {
  enum class Kind { update, create, remove };
  Kind kind = Kind::update;
  std::string path;
  std::string uri;
  std::optional<std::string> moved_to, moved_to_uri;      // it is to be renamed
  std::optional<std::string> moved_from, moved_from_uri;  // it was renamed
  // The folder of the workspace that it was in when the proposal was made, absolute, and where its
  // edits landed then: below the folder, links followed; other_lands: of the name that it is to be
  // given, or had. Empty: it is no file, or cannot be edited.
  std::string folder, lands, other_lands;
  Text text;                        // as it is now: the editor's, or the disk's as it was last read
  std::vector<ProposedHunk> hunks;  // ascending; a create or remove has exactly one
  std::optional<Offer> offered;     // the last one
};

// That a text can be parsed says little of it: `by` kSyntax alone it is still `unknown`.
struct Verification {
  enum class State { verified, failed, unknown };
  State state = State::unknown;
  int new_problems = 0;
  std::string by;  // who looked: "make -j2", "clangd", kSyntax; empty: nobody
};
inline constexpr char kSyntax[] = "the syntax";
// For the person: "checked by make -j2", "only the syntax was checked", "not checked".
std::string in_words(const Verification& verification);
std::string_view name_of(Verification::State state);

struct Proposal {
  enum class State { ready, applying, applied, partly, stale, refused, unknown, discarded };
  std::string id, ask_id, title, message;
  std::string replaces;            // the proposal that it refines, or empty
  std::vector<std::string> notes;  // what the person must know before taking it
  State state = State::ready;
  Verification verification;
  std::vector<ProposedFile> files;
  uint64_t applied_at = 0;  // counts what was applied; 0: never

  bool is_open() const;  // something of it can still be taken
  size_t bytes() const;  // about what it holds in memory
  size_t count(ProposedHunk::State state) const;
  size_t hunk_count() const;
};
std::string_view name_of(Proposal::State state);

// In the order in which they were made: "p9" is before "p10".
struct OlderFirst {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};
using Proposals = std::map<std::string, Proposal, OlderFirst>;  // by id

// Null: there is none. The index counts over the whole proposal.
ProposedHunk* hunk_at(Proposal& proposal, size_t index);

// The ids of those that are too many by number or by bytes, the oldest first: those that are over
// before those that still wait for the person. `is_busy` ones stay.
std::vector<std::string> superfluous(const Proposals& proposals,
                                     const std::function<bool(const std::string& id)>& is_busy);

// The hunks of a draft: one for each run of changed lines.
std::vector<ProposedFile> proposed_files(const std::vector<DraftFile>& draft);

// Takes a change of the document into the regions; `change` is in bytes of file.text.
void track(ProposedFile& file, const Replacement& change);
// After all changes of one notification: decides the touched hunks. True: a hunk changed its state.
bool settle(ProposedFile& file);
// The editor has renamed it: from now on it is a change of the file with the new name.
void adopt_new_name(ProposedFile& file);
void adopt_old_name(ProposedFile& file);  // and back
// What the pending hunks (or only those listed) make of the file.
Offer offer_of(const ProposedFile& file, const std::vector<size_t>* only);
// From the hunks' states; leaves `applying`, `discarded` and what follows from nothing alone.
void update_state(Proposal& proposal);

// What takes the applied hunks back, as a proposal whose pending hunks they are. Errors, for the
// person: stale (an applied text was changed since), unavailable (nothing is applied).
struct Reverse {
  Proposal proposal;
  std::vector<size_t> hunks;  // the indices
  bool moves_files = false;   // files are created, deleted or renamed
};
Result<Reverse> reverse_of(const Proposal& proposal);

// “Wider, please.” (a.c, b.c): the proposal in a sentence.
std::string named(const Proposal& proposal);
std::string counted(size_t count, const char* noun);  // "1 hunk", "3 hunks"

// What a refinement begins with: the files with the pending hunks taken. Error: stale, for the
// person, if a hunk is stale or nothing is left.
Result<std::vector<DraftFile>> draft_of(const Proposal& proposal);

// The pending hunks as a unified diff.
std::string unified_diff(const Proposal& proposal);

}  // namespace bodkin::lsp
