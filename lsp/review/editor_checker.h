// EditorChecker: the report of the editor's language servers after a proposal was applied, and
// whether the model should repair it. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/context/diagnostics.h"
#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/sessions/proposal.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

struct EditorVerdict {
  std::string proposal_id;
  Verification verification;
  std::string message;        // for the user
  std::optional<Ask> repair;  // a repair request for the new problems, if there are any
};

class EditorChecker {
 public:
  EditorChecker(const Documents& documents, DiagnosticsBridge& bridge, const Settings& settings)
      : documents_(documents), bridge_(bridge), settings_(settings) {}

  // Called once, later, for each applied() that was not undone, and if the rest of a proposal is
  // discarded.
  std::function<void(EditorVerdict)> on_verdict;
  // Called instead if only a part was applied of what our own servers have checked as a whole.
  std::function<void(const Proposal&)> on_part;

  void applying(const Proposal& proposal);  // before anything is sent: remembers the problems
  void not_applied(const std::string& proposal_id);  // it failed: forgets the problems
  bool is_waiting() const;                           // for the diagnostics of an applied proposal
  void undone(const Proposal& proposal);             // nothing of it is applied: no verdict
  // All or some of its texts are in place. `has_diagnostics`: the editor passes them on.
  void applied(const Proposal& proposal, bool has_diagnostics);
  void changed(const Proposal& proposal,
               bool has_diagnostics);  // perhaps nothing of it is left to decide

 private:
  struct Before {
    Problems problems;
    std::vector<std::pair<FileInFolder, Text>> applied;  // what is to be checked
    int waiting = 0;                                     // calls of applied() without a verdict
    bool is_decided = true;                              // no hunk is pending
    bool is_several = false;                             // files are changed
    Verification verification;                           // of the proposal, when it was applied
    uint64_t number = 0;
  };
  std::string unsaved_file(const Before& before) const;
  std::optional<Ask> repair_of(std::vector<FileDiagnostics> files) const;
  void give_verdict(const std::string& proposal_id, uint64_t number, const WaitResult& waited);

  const Documents& documents_;
  DiagnosticsBridge& bridge_;
  const Settings& settings_;
  std::map<std::string, Before> before_;  // by proposal
  uint64_t next_number_ = 1;
};

}  // namespace bodkin::lsp
