// Proposal: a change of some files that waits for the person. It names files by the folder of the
// workspace and the path in it, so that it is the same with an editor and without one.
//
// A hunk is a region [begin, end) of its document as it is now; what the region holds says what
// became of the hunk (hunk_tracking.h). Pure; main thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/workspace/roots.h"
#include "edits/apply/apply.h"
#include "lsp/sessions/verification.h"

namespace bodkin {

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

// The lines beside the hunk that its block begins and ends with; "": others.
std::pair<std::string, std::string> lines_around(const Text& text, const ProposedHunk& hunk);

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

struct ProposedName {
  FileInFolder file;
  std::string path;   // what the workspace calls it now
  std::string lands;  // where its edits landed when the proposal was made: below the folder, links
                      // followed. Empty: it is no file, or cannot be edited
};

struct ProposedFile {
  enum class Kind { update, create, remove };
  Kind kind = Kind::update;
  ProposedName name;
  std::optional<ProposedName> moved_to;    // it is to be renamed
  std::optional<ProposedName> moved_from;  // it was renamed
  Text text;                        // as it is now: the editor's, or the disk's as it was last read
  std::vector<ProposedHunk> hunks;  // ascending; a create or remove has exactly one
  std::optional<Offer> offered;     // the last one

  // What it is called once the proposal is applied.
  const ProposedName& last_name() const { return moved_to ? *moved_to : name; }
};

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

// Null: there is none. The index counts over the whole proposal.
ProposedHunk* hunk_at(Proposal& proposal, size_t index);
// Is it one of these? Null means all.
bool is_listed(const ProposedHunk& hunk, const std::vector<size_t>* only);

// From the hunks' states; leaves `applying`, `discarded` and what follows from nothing alone.
void update_state(Proposal& proposal);
// A verdict is of one content: what was changed since, or is only a part, is "not checked".
void forget_verification(Proposal& proposal);
// What was undone is pending again.
void revive(Proposal& proposal, const std::vector<size_t>* only);

// Why nothing of it, or of these hunks, can be applied, for the person. Nothing: it can.
std::optional<std::string> why_not_applicable(const Proposal& proposal,
                                              const std::vector<size_t>* only);
// The first pending hunk that no longer stands in the block that the model saw, as "line 4 of a.c":
// its new text is made for that block ("def area(r):"). Or "".
std::string changed_surroundings(const Proposal& proposal);

// “Wider, please.” (a.c, b.c): the proposal in a sentence.
std::string named(const Proposal& proposal);
std::string counted(size_t count, const char* noun);  // "1 hunk", "3 hunks"

}  // namespace bodkin
