// AskReporter: shows the user an ask: that it began, its progress, and how it ended, with a
// proposal or a message. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lsp/editor/log.h"
#include "lsp/review/shown_files.h"
#include "lsp/server/early_proposals.h"
#include "lsp/server/run_policy.h"
#include "lsp/server/status.h"
#include "lsp/sessions/asks.h"
#include "lsp/sessions/proposals.h"
#include "lsp/sessions/said_words.h"

namespace bodkin::lsp {

class AskReporter {
 public:
  AskReporter(const Capabilities& can, Client& client, Log& log, Status& status,
              Proposals& proposals, RunPolicy& policy, EarlyProposals& early)
      : can_(can),
        client_(client),
        log_(log),
        status_(status),
        proposals_(proposals),
        policy_(policy),
        early_(early) {}

  // Applies a proposal that needs no review; must be set.
  std::function<Result<std::vector<std::string>>(const std::string& id)> apply;

  // `refined`: the proposal that it refines, or empty.
  void began(const std::string& ask_id, const std::string& title, const std::string& refined);
  void reported(const std::string& ask_id, const Progress& progress);
  void ended(AskEnd end);
  // Sets the user's message if running asks end as cancelled.
  void set_why_cancelled(const std::string& why);

 private:
  struct Running {
    ProgressBar bar;
    SaidWords said;
    bool has_words = false;   // some of them were streamed
    bool is_between = false;  // another reply begins
    std::string refined;
    std::string why_cancelled;  // if the server did; empty: the user did
  };
  // $/bodkin/stream.
  void stream(const std::string& ask_id, const Progress& progress, std::string_view text);
  void end_words(const std::string& ask_id);
  // Adds the proposal, and applies it if it needs no review. Empty if there are no changes.
  std::string propose(AskEnd& end, const std::string& refined);
  void report_end(const AskEnd& end, const char* how, const std::string& message,
                  const std::string& proposal_id);
  std::string beginning_of(const std::string& answer, const std::string& ask_id);

  const Capabilities& can_;
  Client& client_;
  Log& log_;
  Status& status_;
  Proposals& proposals_;
  RunPolicy& policy_;
  EarlyProposals& early_;
  ShownFiles shown_;                        // long answers
  std::map<std::string, Running> running_;  // by ask
};

}  // namespace bodkin::lsp
