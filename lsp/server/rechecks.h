// Rechecks: our own language servers check texts in the background that nobody has checked yet: a
// pasted reply, a proposal whose text has changed, the applied part of one. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "lsp/server/run_policy.h"
#include "lsp/sessions/background_work.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class Rechecks {
 public:
  // All outlive it.
  Rechecks(EventLoop& loop, const Documents& documents, RunPolicy& policy, Proposals& proposals,
           BackgroundWork& work)
      : loop_(loop), documents_(documents), policy_(policy), proposals_(proposals), work_(work) {}

  std::function<std::shared_ptr<Workspace>()> workspace;  // as it is now; must be set

  // It is new or has changed: checks it after a quiet second, unless it already has a verdict for
  // its text.
  void consider(const Proposal& proposal);
  // A document has changed: checks against another text of it are outdated. `asks`: the running
  // ones, which use the texts from when they began.
  void document_changed(const std::string& uri, const std::vector<std::string>& asks);
  // Some of its hunks were applied, and others wait: reports the verdict on the former.
  void check_part(const Proposal& proposal);

 private:
  void start(const std::string& id, std::vector<ChangedFile> files,
             std::function<void(Proposal&, const CheckResult&)> take);
  void outdate(Proposal& proposal, const char* since);
  void check_now(const std::string& id);
  void schedule_recheck(const std::string& id, uint64_t content);

  EventLoop& loop_;
  const Documents& documents_;
  RunPolicy& policy_;
  Proposals& proposals_;
  BackgroundWork& work_;
  std::set<std::string> overtaken_;          // asks: a text has changed since they began
  std::set<std::string> waiting_;            // for quiet, or for a verdict
  std::map<std::string, uint64_t> checked_;  // the content that was checked last, by proposal
};

}  // namespace bodkin::lsp
