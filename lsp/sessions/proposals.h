// Proposals: those that there are, and what the person means by an id. They know no editor: who
// reads the texts and who shows them listens. Main thread only.
#pragma once

#include <functional>

#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

// In the order in which they were made: "p9" is before "p10".
struct OlderFirst {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};
using ProposalsById = std::map<std::string, Proposal, OlderFirst>;

// The ids of those that are too many by number or by bytes, the oldest first: those that are over
// before those that still wait for the person. Those that are being applied stay.
std::vector<std::string> superfluous(const ProposalsById& proposals);

struct NewProposal {
  std::string title;
  std::string ask_id = {};              // may be empty
  std::string replaces = {};            // the proposal that it refines: that one is discarded
  std::vector<std::string> notes = {};  // for the person: "a.cpp, line 4: a new syntax error"
  Verification verification = {};       // of all of it, as it is
  bool quiet = false;                   // it is applied at once: nobody is asked
  Roots roots = {};                     // that the files' paths are of
};

class Proposals {
 public:
  // Called in this order for a new one: it is compared with the texts as they are now, then shown.
  std::function<void(Proposal&)> adding;
  std::function<void(const Proposal&, bool quiet)> added;
  // Hunks of it were discarded, by the person, a newer one, or because there are too many.
  std::function<void(const Proposal&)> changed;
  std::function<void(const Proposal&)> verified;         // it has another verification
  std::function<void(const std::string& id)> forgotten;  // there are too many

  std::string add(const std::vector<DraftFile>& files, NewProposal made);  // returns its id
  Result<void> discard(const std::string& id, const std::vector<size_t>* only);
  void set_verification(const std::string& id, const Verification& verification,
                        const std::string& message);
  void set_offered(const std::string& id, const std::vector<size_t>* only);  // to the editor
  // The workspace has these folders from now on. Proposals are of the files that they were made
  // for: only what the files are called is new.
  void folders_changed(const Roots& roots);
  void count_applied(Proposal& proposal) { proposal.applied_at = ++applied_count_; }

  const ProposalsById& all() const { return all_; }
  ProposalsById& all() { return all_; }
  const Proposal* find(const std::string& id) const;
  Proposal* find(const std::string& id);
  std::string newest_open() const;   // empty: none
  std::string last_applied() const;  // what `undo` means by no id; empty: none
  // The one that `show` means by no id.
  std::string to_be_shown() const;
  void was_shown(const std::string& id) { meant_ = id; }
  // By its id; no id: the last one that came or was shown, and no other, if that is over. `only`:
  // it must have these hunks. Errors, for the person: not_found, unavailable (the editor is at it).
  Result<Proposal*> chosen(const std::string& id, const std::vector<size_t>* only);

 private:
  void discard_replaced(Proposal& old);
  void forget_superfluous();

  ProposalsById all_;
  Roots roots_;
  std::string meant_;  // the proposal that came last, or was shown since
  uint64_t applied_count_ = 0;
  int64_t next_id_ = 1;
};

}  // namespace bodkin
