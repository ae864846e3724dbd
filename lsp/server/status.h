// Status: bodkin's activity, and the model that answers, for the editor's status line. Main thread
// only.
#pragma once

#include <string>

#include "lsp/editor/client.h"
#include "lsp/review/editor_checker.h"
#include "lsp/server/folder_trust.h"
#include "lsp/server/run_policy.h"
#include "lsp/sessions/asks.h"
#include "lsp/sessions/proposals.h"

namespace bodkin::lsp {

class Status {
 public:
  Status(const Capabilities& can, Client& client, const Asks& asks, const EditorChecker& checker,
         const Proposals& proposals, const FolderTrust& trust, const RunPolicy& policy)
      : can_(can),
        client_(client),
        asks_(asks),
        checker_(checker),
        proposals_(proposals),
        trust_(trust),
        policy_(policy) {}

  struct Answering {
    std::string model, host;  // host: where the code is sent; "": it stays on this machine
  };
  void set_answering(Answering answering);
  const Answering& answering() const { return answering_; }
  // The model and server that predict next edits: "zeta-2.1 at http://…"; "": none.
  void set_predicting(std::string words) {
    predicting_ = std::move(words);
    show();
  }
  // Adds the tokens of one prediction.
  void add_predicted(const Usage& used) {
    predicted_.input += used.input;
    predicted_.output += used.output;
    show();
  }
  // Sets the state of $/bodkin/status, from the ask that reported last.
  void set_doing(const char* state, const std::string& message);
  void show();        // $/bodkin/status
  Json json() const;  // the answer to bodkin/status
  bool is_trusted() const { return trust_.is_trusted(); }

 private:
  Json next_edits_usage() const;

  const Capabilities& can_;
  Client& client_;
  const Asks& asks_;
  const EditorChecker& checker_;
  const Proposals& proposals_;
  const FolderTrust& trust_;
  const RunPolicy& policy_;
  Answering answering_;
  std::string predicting_;
  Usage predicted_;  // by all predictions
  const char* state_ = "idle";
  std::string message_;
};

Json json_of(const Spent& spent);  // as bodkin.usage gives it

}  // namespace bodkin::lsp
