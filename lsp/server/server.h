// Server: wires the language server together. It creates the owners, connects them, and keeps the
// lifecycle; each owner has its own table of messages (`serve`). Main thread only. The order of the
// members matters: it is the order of destruction, reversed.
#pragma once

#include "agent/history/history.h"
#include "agent/rpc/transport.h"
#include "lsp/editor/bridged_editor.h"
#include "lsp/editor/client_models.h"
#include "lsp/review/proposal_applier.h"
#include "lsp/server/ask_commands.h"
#include "lsp/server/chat_commands.h"
#include "lsp/server/code_action_requests.h"
#include "lsp/server/document_sync.h"
#include "lsp/server/earlier_sessions.h"
#include "lsp/server/handed_edits.h"
#include "lsp/server/models.h"
#include "lsp/server/next_edit_requests.h"
#include "lsp/server/rechecks.h"
#include "lsp/server/repairs.h"

namespace bodkin::lsp {

class Server : private AskDoor {
 public:
  Server(int input, int output);
  ~Server() override;
  int run();           // returns the exit code that LSP prescribes
  void end(int code);  // any thread; makes `run` return it soon

 private:
  enum class Life { fresh, running, shut_down };

  // These connect the owners that have to tell each other something.
  void connect_settings();
  void connect_documents();
  void connect_proposals();
  // The editor's part in asks.
  std::shared_ptr<Workspace> workspace() override;
  AskSetup set_up() override { return policy_.set_up(&editor_); }
  void report(const std::string& ask_id, const Progress& progress) override {
    reporter_.reported(ask_id, progress);
  }
  void ended(AskEnd end) override { reporter_.ended(std::move(end)); }
  void chose(const ModelChoice& choice) override { models_.take_choice(choice); }
  void titled(const std::string& session_id, const std::string& title) override {
    log_.add(MessageType::information, session_id + " is about: " + title);
  }
  std::shared_ptr<Workspace> workspace_now();
  void received(std::optional<Frame> frame);  // on the reader's thread
  void serve_lifecycle();
  Json initialize(const Json& params);
  void initialized();

  // Destroyed from last to first, after ~Server has stopped the reader and the asks' threads, for
  // which the loop must still exist. Queued events hold Replies whose destructors answer, so the
  // writer is destroyed last.
  Writer writer_;
  EventLoop loop_;
  Connection connection_;
  ClientModels client_models_{loop_, connection_};
  Life life_ = Life::fresh;
  Capabilities can_;
  Client client_{connection_, can_};
  Log log_;
  Router router_{connection_, log_};
  Questions questions_{loop_, connection_, client_, can_};
  Configuration configuration_{client_, log_};
  Documents documents_;
  Indexer indexer_{default_cache_folder()};
  FolderTrust trust_{configuration_.settings().list("workspace.trusted"), documents_, indexer_};
  Outlines outlines_{loop_, documents_, indexer_};
  History history_{
      history_path(), [this](const std::string& why) {
        loop_.post([this, why] { client_.say(MessageType::warning, "bodkin: " + why); });
      }};
  Proposals proposals_{run_id()};
  ProposalPresenter presenter_{loop_, connection_, client_, documents_, can_, proposals_};
  ProposalApplier applier_{loop_, client_, documents_, can_, proposals_, presenter_};
  DiagnosticsBridge bridge_{loop_, documents_};
  EditorChecker checker_{documents_, bridge_, configuration_.settings()};
  BridgedEditor editor_{loop_, client_, can_, questions_, documents_, bridge_};
  RunPolicy policy_{loop_, configuration_.settings(), trust_, documents_, client_};
  Asks asks_{loop_, *this, {&history_, &editor_, &client_models_, own_profiles_folder()}, run_id()};
  BackgroundWork work_{
      loop_, [this](const char* what) {
        loop_.post([this, what = std::string(what)] { loop_.failed(what.c_str()); });
      }};
  Rechecks rechecks_{loop_, documents_, policy_, proposals_, work_};
  Status status_{can_, client_, asks_, checker_, proposals_, trust_, policy_};
  EarlyProposals early_{loop_, can_, configuration_.settings(), proposals_, policy_};
  AskReporter reporter_{can_, client_, log_, status_, proposals_, policy_, early_};
  Models models_{loop_, configuration_, documents_, client_models_, work_, status_};
  Repairs repairs_{configuration_.settings(), client_, questions_, proposals_, asks_};
  RecentEdits recent_edits_{outlines_};
  Predictions predictions_{loop_,         documents_,    configuration_.settings(),
                           recent_edits_, policy_,       work_,
                           client_,       client_models_};
  NextEditRequests next_edits_{loop_,         can_,        documents_, configuration_.settings(),
                               recent_edits_, predictions_};
  DocumentSync document_sync_{documents_, bridge_, outlines_, indexer_, recent_edits_};
  CodeActionRequests code_actions_{can_,     documents_, bridge_,   proposals_,
                                   applier_, questions_, outlines_, next_edits_};
  EarlierSessions earlier_sessions_{loop_, history_, documents_, asks_, proposals_, applier_};
  const AskWorld ask_world_{documents_, bridge_, proposals_, configuration_.settings(), policy_};
  AskCommands ask_commands_{can_, client_, ask_world_, asks_, reporter_, earlier_sessions_};
  ChatCommands chat_commands_{loop_,
                              client_,
                              ask_world_,
                              [this] { return workspace_now(); },
                              [this] { return policy_.limits(); },
                              work_};
  HandedEdits handed_edits_{
      {loop_, documents_, can_, trust_, policy_, proposals_, applier_, work_, log_},
      [this] { return workspace_now(); }};
  std::unique_ptr<Reader> reader_;
};

}  // namespace bodkin::lsp
