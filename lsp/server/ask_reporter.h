// AskReporter: what the user sees of an ask: that it began, what it does, and how it ended, with
// a proposal or in words. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lsp/editor/log.h"
#include "lsp/server/run_policy.h"
#include "lsp/server/status.h"
#include "lsp/sessions/asks.h"
#include "lsp/sessions/proposals.h"

namespace bodkin::lsp {

class AskReporter {
 public:
  AskReporter(const Capabilities& can, Client& client, Log& log, Status& status,
              Proposals& proposals, RunPolicy& policy)
      : can_(can),
        client_(client),
        log_(log),
        status_(status),
        proposals_(proposals),
        policy_(policy) {}

  // Of a proposal that nobody wants to see before; must be set.
  std::function<Result<void>(const std::string& id)> apply;

  // `refined`: the proposal that it refines, or empty.
  void began(const std::string& ask_id, const std::string& title, const std::string& refined);
  void reported(const std::string& ask_id, const Progress& progress);
  void ended(AskEnd end);
  // For all asks that run now: what the user reads if they end as cancelled.
  void set_why_cancelled(const std::string& why);

 private:
  struct Running {
    ProgressBar bar;
    std::string refined;
    std::string why_cancelled;  // by the server; empty: by the user
  };
  // Makes the proposal, and applies it if nobody wants to see it before. Empty: it changes nothing.
  std::string propose(const AskEnd& end, const std::string& refined);
  void tell_end(const AskEnd& end, const char* how, const std::string& message,
                const std::string& proposal_id);

  const Capabilities& can_;
  Client& client_;
  Log& log_;
  Status& status_;
  Proposals& proposals_;
  RunPolicy& policy_;
  std::map<std::string, Running> running_;  // by ask
};

// What a proposal says of the texts of an outcome.
Verification verification_of(const Outcome& outcome);

}  // namespace bodkin::lsp
