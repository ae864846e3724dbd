// AskCommands: the commands that start and cancel asks. Main thread only.
#pragma once

#include "lsp/server/ask_arguments.h"
#include "lsp/server/ask_reporter.h"
#include "lsp/server/earlier_sessions.h"
#include "lsp/server/router.h"
#include "lsp/sessions/asks.h"

namespace bodkin::lsp {

class AskCommands {
 public:
  AskCommands(const Capabilities& can, Client& client, const AskWorld& world, Asks& asks,
              AskReporter& reporter, EarlierSessions& past)
      : can_(can),
        client_(client),
        world_(world),
        asks_(asks),
        reporter_(reporter),
        earlier_sessions_(past) {}
  void serve(Router& router);

 private:
  void ask(const Arguments& arguments, Reply reply);
  void start(const Arguments& arguments, bool fix, Reply reply);
  std::string news_of_last_ask(const std::string& session) const;  // for the model
  // The same command, run once the session and the proposal that it names are known.
  Router::Run prepared(Router::Run run);
  void cancel(const Arguments& arguments, Reply reply);
  void usage(const Arguments& arguments, Reply reply);

  const Capabilities& can_;
  Client& client_;
  const AskWorld world_;
  Asks& asks_;
  AskReporter& reporter_;
  EarlierSessions& earlier_sessions_;
};

}  // namespace bodkin::lsp
