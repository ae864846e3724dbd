// Router: which function answers which message from the editor. Each owner registers its own;
// params are decoded here into the struct that the function takes. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "lsp/editor/log.h"
#include "lsp/protocol/arguments.h"

namespace bodkin::lsp {

class Router {
 public:
  Router(Connection& connection, Log& log);

  // `run(Params)` returns nothing, or a Result<void>. Decoding errors and failures are logged;
  // after the former `missed(json)` runs, if it is given.
  template <class Params, class Run>
  void on_notification(const char* method, Run run,
                       std::function<void(const Json& json)> missed = nullptr) {
    connection_.on_notification(
        method, [this, method, run = std::move(run), missed = std::move(missed)](const Json& json) {
          auto params = decode<Params>(json);
          if (!params) {
            log_error(method, params.error());
            return missed ? missed(json) : void();
          }
          if constexpr (std::is_void_v<std::invoke_result_t<Run, Params>>) {
            run(*std::move(params));
          } else if (const Result<void> done = run(*std::move(params)); !done) {
            log_error(method, done.error());
          }
        });
  }
  // `run(Params, Reply)`. Decoding errors are the answer.
  template <class Params, class Run>
  void on_request(const char* method, Run run) {
    connection_.on_request(method, [run = std::move(run)](const Json& json, Reply reply) {
      auto params = decode<Params>(json);
      params ? run(*std::move(params), std::move(reply)) : reply.error(params.error());
    });
  }

  // bodkin's own requests, and the commands of workspace/executeCommand. `takes`: the members of
  // their argument (lsp/protocol/arguments.h). Each answers exactly once, and none waits for a
  // model.
  using Run = std::function<void(const Arguments& arguments, Reply reply)>;
  void on_own_request(const char* method, const char* takes, Run run);
  void on_command(const char* name, const char* takes, Run run);
  std::vector<std::string> commands() const;  // all names

 private:
  struct Command {
    const char* takes;
    Run run;
  };
  void execute(const Json& params, Reply reply) const;
  void log_error(const char* method, const Error& error);

  Connection& connection_;
  Log& log_;
  std::map<std::string, Command, std::less<>> commands_;  // by name
};

}  // namespace bodkin::lsp
