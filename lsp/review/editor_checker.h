// EditorChecker: what the editor's language servers say of a proposal after it was applied, and
// whether the model is to repair it. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "agent/context/diagnostics.h"
#include "agent/loop/run.h"
#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/sessions/proposal.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

struct EditorVerdict {
  std::string proposal_id;
  Verification verification;
  std::string message;        // for the person
  std::optional<Ask> repair;  // what would repair the new problems, if there are any
};

class EditorChecker {
 public:
  EditorChecker(const Documents& documents, DiagnosticsBridge& bridge, const Settings& settings)
      : documents_(documents), bridge_(bridge), settings_(settings) {}

  std::function<void(EditorVerdict)>
      on_verdict;  // once for each run of applied() that was not undone, later

  void applying(const Proposal& proposal);  // before anything is sent: remembers the problems
  void not_applied(const std::string& proposal_id);  // nothing comes of it: forgets the problems
  bool is_waiting() const;                           // for the diagnostics of something applied
  void undone(const Proposal& proposal);  // nothing of it is in place: there is no verdict any more
  // Its texts are in place. `hears`: the editor passes diagnostics on.
  void applied(const Proposal& proposal, bool hears);

 private:
  struct Before {
    Problems problems;
    std::vector<std::pair<FileInFolder, Text>> applied;  // what was to be checked
    int waiting = 0;                                     // applied() without a verdict yet
    uint64_t number = 0;
  };
  void give_verdict(const std::string& proposal_id, uint64_t number, const WaitResult& waited);

  const Documents& documents_;
  DiagnosticsBridge& bridge_;
  const Settings& settings_;
  std::map<std::string, Before> before_;  // by proposal
  uint64_t next_number_ = 1;
};

}  // namespace bodkin::lsp
