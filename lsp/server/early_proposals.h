// EarlyProposals: shows a draft as a proposal if its check takes long (verify.showAfterMs), and its
// verdict once it is there. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "lsp/protocol/capabilities.h"
#include "lsp/server/run_policy.h"
#include "lsp/sessions/asks.h"
#include "lsp/sessions/proposals.h"

namespace bodkin::lsp {

class EarlyProposals {
 public:
  // All outlive it.
  EarlyProposals(EventLoop& loop, const Capabilities& can, const Settings& settings,
                 Proposals& proposals, const RunPolicy& policy)
      : loop_(loop), can_(can), settings_(settings), proposals_(proposals), policy_(policy) {}

  std::function<void(const std::string& ask_id)> cancel;  // must be set

  // A check of it begins, or has found errors that the model is to repair. `refined`: the proposal
  // that the ask refines, or empty.
  void drafted(const std::string& ask_id, const std::string& refined,
               std::shared_ptr<EarlyDraft> draft);
  // Returns the proposal that has the ask's changes already, and now their verdict. Nullopt if
  // there is none; `refined` is then the proposal that theirs replaces.
  std::optional<std::string> ended(const AskEnd& end, std::string& refined);
  // The user may have decided some of it: then the model repairs nothing.
  void changed(const Proposal& proposal);

 private:
  struct Shown {
    std::shared_ptr<EarlyDraft> draft;
    std::string refined;
    std::string id;                  // of the proposal; empty: none is shown
    std::vector<ChangedFile> files;  // of the proposal
    uint64_t content = 0;            // of the proposal when it was made
  };
  void show(const std::string& ask_id, const std::shared_ptr<EarlyDraft>& draft);
  void set_verdict(const Shown& shown, Verification verification);

  EventLoop& loop_;
  const Capabilities& can_;
  const Settings& settings_;
  Proposals& proposals_;
  const RunPolicy& policy_;
  std::map<std::string, Shown> by_ask_;
};

}  // namespace bodkin::lsp
