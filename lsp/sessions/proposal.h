// Proposal: changes of some files that wait for the user. It names files by workspace folder and
// path, so that it does not depend on an editor.
//
// A hunk is a region [begin, end) of the current document; its content determines the state of the
// hunk (hunk_tracking.h). Pure; main thread only.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/workspace/roots.h"
#include "edits/apply/apply.h"
#include "edits/text/text.h"
#include "lsp/sessions/verification.h"

namespace bodkin {

bool is_line_begin(const Text& text, size_t offset);

// Where lines go that replace none: nothing at their place says by itself whether it is still
// theirs. The text around it does, up to the nearest lines that are not blank, above and below.
struct InsertionAnchor {
  std::string above, below;  // the text that ends, and that begins, at the place; "": the file does
};

// `place`: in bytes, where a line begins, or the end.
InsertionAnchor anchor_at(const Text& text, size_t place);
bool stands_at(const InsertionAnchor& anchor, const Text& text, size_t place);
// The only place in the text with those texts around it. Linear in the text.
std::optional<size_t> place_of(const InsertionAnchor& anchor, const Text& text);

struct ProposedHunk {
  enum class State { pending, applied, stale, discarded };
  size_t index = 0;           // over the whole proposal
  size_t begin = 0, end = 0;  // bytes of the file's current text
  std::string old_text, new_text;
  std::string above, below;  // the lines next to it, if its block begins and ends with them, as the
                             // model saw them; else ""
  MatchQuality quality = MatchQuality::exact;  // the loosest of its file's hunks
  State state = State::pending;
  bool touched = false;  // in this notification
  bool flipped = false;  // likewise: one change gave it exactly its new text
  // For a pending hunk that replaces no line: the text around its place; and whether lines there
  // are gone, so that only this text says where the hunk goes.
  std::optional<InsertionAnchor> anchor;
  bool is_adrift = false;
  bool was_applied = false;  // at any time: with its old text it was then undone
  // An edit that puts it in place, or takes it back, was sent, and its outcome is unknown: after a
  // restart, such a hunk's state is read from the files.
  bool is_offered = false;
  // It is from the history, which does not keep the secret that its texts had: it stays as it is.
  bool has_secret = false;
  // When it was undone or discarded by the user, the same for all that were at once: ms since 1970,
  // or a little later, to be after the time before. 0: never, or it is not put aside any more.
  int64_t put_aside = 0;

  // Whether it is still in that block.
  bool is_between(const Text& now) const;
  // Whether it can be applied: it is not, and its region has the old text.
  bool has_old_text() const {
    return state == State::pending || (state == State::discarded && was_applied);
  }
};

// The lines next to the hunk, if its block begins and ends with them; else "".
std::pair<std::string, std::string> lines_around(const Text& text, const ProposedHunk& hunk);

// The text of a file after the editor has applied the edit it was offered.
struct Offer {
  struct Region {
    size_t begin = 0, end = 0;
    bool taken = false;
  };
  Text text;
  std::map<size_t, Region> regions;  // in `text`, by the hunk's index
  bool undo = false;                 // the hunks in question get their old text
};

struct ProposedName {
  FileInFolder file;
  std::string path;   // its current workspace path
  std::string lands;  // where an edit of it landed when the proposal was made: below the folder,
                      // with links followed. Empty: not a file, or it cannot be edited
};

// Facts about a removed file that its text does not tell, for when it comes back.
struct RemovedFile {
  std::optional<std::string> encoding;  // in which it is read; empty: its text is its bytes
  int mode = 0666;                      // who may access it
};

// A text in which each hunk had its place, and these places.
struct Settled {
  Text text;
  std::vector<std::pair<size_t, size_t>> regions;
};

struct ProposedFile {
  enum class Kind { update, create, remove };
  Kind kind = Kind::update;
  ProposedName name;
  std::optional<ProposedName> moved_to;    // it is to be renamed
  std::optional<ProposedName> moved_from;  // it was renamed
  Text text;                               // the editor's current one, or the disk's when last read
  std::optional<RemovedFile> removed;      // of one that is removed
  std::vector<ProposedHunk> hunks;         // ascending; a create or remove has exactly one
  std::vector<Settled> settled;            // the first, and the last ones
  std::optional<Offer> offered;            // the last one
  bool is_gone = false;                    // there was none when the disk was read last

  // Its name once the proposal is applied.
  const ProposedName& last_name() const { return moved_to ? *moved_to : name; }
  // Whether this hunk of it replaces no line, and is not in the text.
  bool is_insertion(const ProposedHunk& hunk) const {
    return kind == Kind::update && hunk.old_text.empty() && !hunk.was_applied &&
           (hunk.state == ProposedHunk::State::pending || hunk.state == ProposedHunk::State::stale);
  }
};

// Those that it has: ProposedName* or const ProposedName*.
template <class File>
auto names_of(File& file) {
  std::vector<decltype(&file.name)> names{&file.name};
  if (file.moved_to) names.push_back(&*file.moved_to);
  if (file.moved_from) names.push_back(&*file.moved_from);
  return names;
}

struct Proposal {
  enum class State { ready, applying, applied, partly, stale, refused, unknown, discarded };
  static constexpr std::string_view kReplaced = "Replaced by a newer version.";
  std::string id, ask_id, title, message;
  std::string replaces;            // the proposal that it refines, or empty
  std::vector<std::string> notes;  // what the user must know before applying it
  State state = State::ready;
  Verification verification;
  uint64_t verified_content = 0;  // content_of() when that was found
  // The verification of the applied hunks as if they were all, and which hunks those were then.
  std::optional<std::pair<Verification, std::vector<size_t>>> part;
  std::vector<ProposedFile> files;
  std::set<std::string> made_folders;  // that were made for its files when it was applied
  uint64_t applied_at = 0;             // a counter over all proposals; 0: never
  bool is_restored = false;            // it is of an earlier run
  bool is_exact = false;               // see ProposalRow
  std::string workspace;               // ProposalRow's, where it was logged first; empty: nowhere
  bool is_kept = true;                 // false: it undoes what another program has logged

  bool is_open() const;                                      // some of it can still be applied
  bool is_replaced() const { return message == kReplaced; }  // it is discarded, too
  bool is_in_place() const;  // something of it is applied, or a file has its new name
  size_t bytes() const;      // of memory, about
  size_t count(ProposedHunk::State state) const;
  std::vector<size_t> applied_hunks() const;  // their indices
  size_t hunk_count() const;
  template <class Is>
  bool any_hunk(Is is) const {
    return std::ranges::any_of(
        files, [&](const ProposedFile& file) { return std::ranges::any_of(file.hunks, is); });
  }
};
std::string_view name_of(Proposal::State state);

// Null if there is none. The index is in the whole proposal.
ProposedHunk* hunk_at(Proposal& proposal, size_t index);
// Whether it is one of these; null means all.
bool is_listed(const ProposedHunk& hunk, const std::vector<size_t>* only);
bool has_listed(const ProposedFile& file, const std::vector<size_t>* only);  // any of its hunks
void set_offered(Proposal& proposal, const std::vector<size_t>* only, bool is_offered);

// Derives the state from the hunks' states, except `applying`, `discarded` and those that do not
// follow from them.
void update_state(Proposal& proposal);
// The editor's own undo has given these hunks, which were not discarded, their old text: while a
// part of the proposal is in place or was never taken they are pending again, else all is undone.
void take_back(Proposal& proposal, const std::vector<size_t>& undone);
// Discards what we have undone, also hunks that the editor's undo had made pending before.
void discard_undone(Proposal& proposal);
// When its hunks that are still not in place were last put aside; 0: none was.
int64_t last_put_aside(const Proposal& proposal);
// The hunks that were put aside at this time.
std::vector<size_t> put_aside_at(const Proposal& proposal, int64_t time);
// Hunks that were undone are pending again. False if there are none.
bool make_pending_again(Proposal& proposal, const std::vector<size_t>* only);

// Why neither it nor these hunks can be applied, for the user. Nullopt if they can.
std::optional<std::string> why_not_applicable(const Proposal& proposal,
                                              const std::vector<size_t>* only);
// Whether applying these hunks (null: all pending ones) would remove this file although the target
// of its move is not made: its text would be nowhere.
bool is_move_without_target(const Proposal& proposal, const ProposedFile& file,
                            const std::vector<size_t>* only);
// The first pending hunk that is no longer in the block the model saw, as "line 4 of a.c": its new
// text was made for that block ("def area(r):"). Else "".
std::string changed_surroundings(const Proposal& proposal);

// The places at which the text of its stale hunks has changed, of these (null: of all): "line 2 of
// a.c and 1 other place". Empty: nowhere.
std::string changed_places(const Proposal& proposal, const std::vector<size_t>* only);

// “Wider, please.” (a.c, b.c): the proposal's name in a sentence.
std::string named(const Proposal& proposal);
// "Applied", and which parts are not in place although nothing is left to apply.
std::string applied_in_words(const Proposal& proposal);
std::string in_words(const std::vector<std::string>& paths);  // "a.c, b.c and c.c"; all of them

}  // namespace bodkin
