// Server: the language server, wired together. It is one object on the main thread; what lives in
// which order is part of the design (see the members).
#pragma once

#include <map>
#include <set>
#include <thread>

#include "agent/rpc/transport.h"
#include "grammars/outline.h"
#include "lsp/editor/client.h"
#include "lsp/editor/diagnostics.h"
#include "lsp/editor/editor_model.h"
#include "lsp/editor/log.h"
#include "lsp/editor/progress.h"
#include "lsp/editor/questions.h"
#include "lsp/protocol/arguments.h"
#include "lsp/review/checks.h"
#include "lsp/review/code_actions.h"
#include "lsp/review/review.h"
#include "lsp/sessions/asks.h"
#include "lsp/workspace/indexer.h"
#include "lsp/workspace/settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin::lsp {

Verification verification_of(const Outcome& outcome);

class Server {
 public:
  Server(int input, int output);
  ~Server();
  int run();           // the exit code, as LSP wants it
  void end(int code);  // any thread: `run` returns it soon

 private:
  enum class Life { fresh, running, shut_down };

  // server.cpp: the lifecycle and the settings
  void received(std::optional<Frame> frame);  // on the reader's thread
  void register_lifecycle();
  Json initialize(const Json& params);
  void initialized();
  void set_settings(Settings::Layer layer, const Json& given);
  void pull_configuration();

  // server_documents.cpp: documents, their outlines, code actions
  void register_documents();
  void parse_soon(const std::string& uri);
  std::optional<Enclosing> enclosing_at(const Document& document, const Range& range) const;

  // server_index.cpp: the files that no editor has open
  void register_index();
  void watch_files();

  // server_trust.cpp: what is withheld in a folder that the person does not trust
  void register_trust();
  void look_at_folders();  // they, or what is said of them, have changed
  std::unique_ptr<Verifier> make_verifier();
  std::shared_ptr<const Shell> make_shell();  // null: the model runs no commands
  bool may_apply_at_once();  // an edit in which nothing was found
  void tell_what_is_withheld();

  // server_commands.cpp: workspace/executeCommand
  struct Command {
    const char* name;
    void (Server::*run)(const Arguments& arguments, Reply reply);
    const char* takes;  // the members of its one object (lsp/protocol/arguments.h)
  };
  static const Command kTable[];
  void execute(const Json& params, Reply reply);
  void fix(const Arguments& arguments, Reply reply);
  void ask(const Arguments& arguments, Reply reply);
  void start_ask(const Arguments& arguments, bool fix, Reply reply);
  void apply_reply(const Arguments& arguments, Reply reply);
  void copy_prompt(const Arguments& arguments, Reply reply);
  void apply(const Arguments& arguments, Reply reply);
  void apply_hunk(const Arguments& arguments, Reply reply);
  void discard(const Arguments& arguments, Reply reply);
  void show_diff(const Arguments& arguments, Reply reply);
  void undo(const Arguments& arguments, Reply reply);
  void answer_question(const Arguments& arguments, Reply reply);
  void cancel(const Arguments& arguments, Reply reply);
  void status(const Arguments& arguments, Reply reply);
  void answer_status(Reply reply);
  void new_session(const Arguments& arguments, Reply reply);
  void usage(const Arguments& arguments, Reply reply);
  void show_log(const Arguments& arguments, Reply reply);
  void select_model(const Arguments& arguments, Reply reply);
  void list_models(Reply reply);
  // Finds out who would be asked now, and where that is; `then` runs on the loop, later.
  void look_up_model(std::move_only_function<void()> then);
  void take_choice(const ModelChoice& choice);
  void check(const Arguments& arguments, Reply reply);
  Json usage_json() const;

  // server_asks.cpp: what an ask says and how it ends
  std::unique_ptr<Editor> make_editor();
  AskHost ask_host();
  void began(const std::string& ask_id, const std::string& title, const std::string& refined);
  void reported(const std::string& ask_id, const Progress& progress);
  void ended(AskEnd end);
  void tell_end(const AskEnd& end, const char* how, const std::string& message,
                const std::string& proposal_id);
  void show_status();
  void judged(Judgement judgement);
  bool mend(const std::string& ask_id, Ask repair);

  struct Outlined {
    int64_t version = 0;
    Outline outline;
    SyntaxTree tree;  // what the next parse begins with
  };
  struct Running {  // an ask, for the person
    ProgressBar bar;
    std::string refined;  // the proposal that it refines, or empty
    std::string why_cancelled;  // by the server; empty: by the person
  };

  // Destroyed from the last to the first: first nothing more is read; the asks and the worker stop
  // while the loop can still release them; queued events hold Replies whose destructors answer, so
  // the writer dies last.
  Writer writer_;
  EventLoop loop_;
  Connection connection_;
  ClientModels client_models_{loop_, connection_};
  Life life_ = Life::fresh;
  Capabilities can_;
  Client client_;
  Questions questions_;
  Log log_;
  Settings settings_;
  std::set<std::string> told_;  // problems of the settings
  Trust trust_;
  bool trusted_ = false;  // the folders as they are now
  Documents documents_;
  Review review_;
  DiagnosticsBridge bridge_;
  Checks checks_;
  std::unique_ptr<Editor> editor_;
  std::shared_ptr<UnconfinedConsent> consent_ = std::make_shared<UnconfinedConsent>();
  std::map<std::string, Running> running_;    // by ask
  std::map<std::string, int> repairs_;        // by ask
  std::map<std::string, std::string> offers_;  // by proposal: the question whether to mend it
  std::map<std::string, Outlined> outlines_;  // by URI
  std::set<std::string> parsing_;             // by URI: wanted, or under way
  struct Answering {
    std::string name, host;  // of the model, and where the code goes; "": it stays here
  };
  Answering answering_;
  const char* state_ = "idle";  // of bodkin/status
  std::string status_message_;
  Indexer indexer_{default_cache_folder()};
  EventLoop worker_;  // parsing
  std::jthread worker_thread_;
  std::stop_source worker_stop_;
  std::unique_ptr<Asks> asks_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace bodkin::lsp
