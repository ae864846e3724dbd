// Server: the language server, wired together. It is one object on the main thread; what lives in
// which order is part of the design (see the members).
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "grammars/outline.h"
#include "lsp/asks.h"
#include "lsp/checks.h"
#include "lsp/code_actions.h"
#include "lsp/diagnostics.h"
#include "lsp/indexer.h"
#include "lsp/progress.h"
#include "lsp/review.h"
#include "lsp/settings.h"
#include "lsp/transport.h"

namespace bodkin::lsp {

class Server {
 public:
  Server(int input, int output);
  ~Server();
  int run();  // the exit code, as LSP wants it

 private:
  enum class Life { fresh, running, shut_down };

  // server.cpp: the lifecycle, documents, settings
  void register_methods();
  void received(std::optional<Frame> frame);  // on the reader's thread
  Json initialize(const Json& params);
  void initialized();
  void pull_configuration();
  void log(const std::string& message, int type = 3);
  void parse_soon(const std::string& uri);

  // server_index.cpp: the files that no editor has open
  void register_index();
  void watch_files();

  // server_commands.cpp: workspace/executeCommand
  void execute(const Json& params, Reply reply);
  void start_ask(Json argument, bool fix, Reply reply);
  void start_ask_now(const Json& argument, bool fix, Reply reply);
  Result<Ask> ask_of(const Json& argument, bool fix);
  void apply_reply(const Json& argument, Reply reply);
  void copy_prompt(const Json& argument, Reply reply);
  Json status() const;

  // server_asks.cpp: what an ask says and how it ends
  std::unique_ptr<Editor> make_editor();
  AskHost ask_host();
  void began(const std::string& ask_id, const std::string& title);
  void reported(const std::string& ask_id, const Progress& progress);
  void ended(AskEnd end);
  void tell_end(const AskEnd& end, const char* how, const std::string& message,
                const std::string& proposal_id);
  void show_status();
  void judged(Judgement judgement);
  void mend(const std::string& ask_id, Ask repair);

  struct Outlined {
    int64_t version = 0;
    Outline outline;
  };
  std::optional<Enclosing> enclosing_at(const Document& document, const Range& range) const;

  // Destroyed from the last to the first: first nothing more is read; the asks and the worker stop
  // while the loop can still release them; queued events hold Replies whose destructors answer, so
  // the writer dies last.
  Writer writer_;
  EventLoop loop_;
  Connection connection_;
  Life life_ = Life::fresh;
  Capabilities client_;
  Settings settings_;
  Documents documents_;
  Review review_;
  DiagnosticsBridge bridge_;
  Checks checks_;
  std::unique_ptr<Editor> editor_;
  std::map<std::string, ProgressBar> progress_;  // by ask
  std::map<std::string, int> repairs_;           // by ask
  std::map<std::string, Outlined> outlines_;     // by URI
  std::set<std::string> to_parse_;
  std::string status_message_, last_stream_;
  Indexer indexer_{default_cache_folder()};
  EventLoop worker_;  // parsing
  std::jthread worker_thread_;
  std::stop_source worker_stop_;
  std::unique_ptr<Asks> asks_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace bodkin::lsp
