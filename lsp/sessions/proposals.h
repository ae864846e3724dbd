// Proposals: all of them, and which one a command applies to. Independent of an editor: readers of
// their texts and views set the callbacks. Main thread only.
#pragma once

#include <functional>

#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

// In the order of creation: "p9-RUN" is before "p10-RUN", and both before those of later runs.
struct OlderFirst {
  bool operator()(const std::string& a, const std::string& b) const;
};
using ProposalsById = std::map<std::string, Proposal, OlderFirst>;

// The ids of those to forget because there are too many, by number or bytes, oldest first: finished
// ones before those that still wait for the user, never one that is being applied.
std::vector<std::string> ids_to_forget(const ProposalsById& proposals);

struct NewProposal {
  std::string title;
  std::string ask_id = {};              // may be empty
  std::string replaces = {};            // the proposal that it refines: that one is discarded
  std::vector<std::string> notes = {};  // for the user: "a.cpp, line 4: a new syntax error"
  Verification verification = {};       // of all of it, as it is
  bool quiet = false;                   // it is applied at once, without review
  // Another program has logged it under this id, in this workspace, and keeps its texts to the
  // byte; or undoes what it has logged (not `is_kept`).
  std::string logged_as = {}, logged_in = {};
  bool is_kept = true;
  Roots roots = {};  // that the files' paths are of

  static NewProposal of(const Outcome& outcome, Roots roots);  // its title, notes and verification
};

class Proposals {
 public:
  // `run_id`: part of all ids, see run_id(); may be empty.
  explicit Proposals(std::string run_id = "") : run_id_(std::move(run_id)) {}

  // Called in this order for a new one: it is compared with the current texts, then shown.
  std::function<void(Proposal&)> adding;
  std::function<void(const Proposal&, bool quiet)> added;
  // Hunks were discarded: by the user, by a newer proposal, or because there are too many.
  std::function<void(const Proposal&)> changed;
  std::function<void(const Proposal&)> verified;         // its verification has changed
  std::function<void(const std::string& id)> forgotten;  // there are too many

  // Returns its id. It is not shown if the user has typed over all of it already.
  std::string add(const std::vector<ChangedFile>& files, NewProposal made);
  // Takes one of an earlier run; `shown`: the user sees it, if it is open.
  void restore(Proposal proposal, bool shown);
  void drop(const std::string& id);  // as if it had never been; not one that is being applied
  Result<void> discard(const std::string& id, const std::vector<size_t>* only);
  void set_verification(const std::string& id, const Verification& verification,
                        const std::string& message);
  void set_offered(const std::string& id, const std::vector<size_t>* only);  // to the editor
  // The workspace now has these folders. Proposals still refer to the files they were made for:
  // only the paths of these change.
  void folders_changed(const Roots& roots);
  void count_applied(Proposal& proposal);
  // Its hunks that are discarded by now were put aside: these (null: all) last of them.
  void note_put_aside(Proposal& proposal, const std::vector<size_t>* last);

  const ProposalsById& all() const { return all_; }
  ProposalsById& all() { return all_; }
  const Proposal* find(const std::string& id) const;
  Proposal* find(const std::string& id);
  std::string newest_open() const;     // empty: none
  std::string last_applied() const;    // for `undo` without an id; empty: none
  std::string last_put_aside() const;  // likewise for `redo`: nothing new was applied since
  // The id for `show` without one.
  std::string shown_by_default() const;
  void was_shown(const std::string& id) { current_id_ = id; }
  // Finds a proposal by id; without one: the last one that arrived or was shown, even if it is
  // finished. `only`: it must have these hunks. Errors, for the user: not_found, unavailable (it is
  // being applied).
  Result<Proposal*> chosen(const std::string& id, const std::vector<size_t>* only);

 private:
  void discard_replaced(Proposal& old);
  void forget_oldest();

  const std::string run_id_;
  ProposalsById all_;
  Roots roots_;
  std::string current_id_;  // the proposal that arrived or was shown last
  uint64_t applied_count_ = 0;
  int64_t put_aside_ = 0;  // the last time
  int64_t changed_ = 0;    // that time when something new was applied: redo goes back no further
  int64_t next_id_ = 1;
};

}  // namespace bodkin
