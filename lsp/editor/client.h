// Client: what the server asks of the editor and tells the person, each method of the protocol at
// one place. What the editor cannot do is done in the best way that it can. Main thread only, but
// for request_and_wait.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/rpc/event_loop.h"
#include "lsp/editor/progress.h"
#include "lsp/protocol/capabilities.h"

namespace bodkin::lsp {

enum class MessageType { error = 1, warning = 2, information = 3, log = 4 };  // as in LSP

class Client {
 public:
  Client(Connection& connection, const Capabilities& can) : connection_(connection), can_(can) {}

  void say(MessageType type, const std::string& message);  // window/showMessage
  void log(MessageType type, const std::string& message);  // window/logMessage
  bool show_document(const std::string& uri);              // false: it cannot
  // Empty: the person gave nothing, or cannot be asked.
  void input(const std::string& prompt, const std::string& placeholder,
             std::function<void(const std::string&)> given);
  void configuration(std::function<void(const Json&)> given);  // of the section "bodkin"
  void apply_edit(const std::string& label, Json edit, std::function<void(const Result<Json>&)>);
  // Has it tell of files on the disk. An editor that refuses is not asked again: the index looks at
  // the disk before each ask.
  void watch_files(const std::vector<std::string>& globs);
  // A bar that does nothing where the editor has none.
  ProgressBar progress(const std::string& token, const std::string& title);
  // One of our own notifications (lsp/protocol/extensions.h).
  void notify(const char* method, Json params) { connection_.notify(method, std::move(params)); }

 private:
  Connection& connection_;
  const Capabilities& can_;
};

// Sends a request and waits for the answer. Any thread but the loop's; both outlive the call. A
// stop request ends the wait at once and takes the request back. Error: cancelled, or what the
// editor says.
Result<Json> request_and_wait(EventLoop& loop, Connection& connection, const char* method,
                              Json params, const std::stop_token& stop);

}  // namespace bodkin::lsp
