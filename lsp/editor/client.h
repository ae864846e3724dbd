// Client: the server's requests to the editor and messages to the user, each LSP method in one
// place. If the editor lacks a capability, the best alternative is used. Main thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lsp/protocol/capabilities.h"

namespace bodkin::lsp {

enum class MessageType { error = 1, warning = 2, information = 3, log = 4 };  // as in LSP

// ProgressBar: a work-done progress that ends itself (LSP 3.17, "Work Done Progress"). The token is
// a string, because Zed accepts nothing else. Main thread only.
class ProgressBar {
 public:
  ProgressBar() = default;
  // Creates the progress on the client and begins it.
  ProgressBar(Connection& connection, std::string token, const std::string& title);
  ProgressBar(ProgressBar&& other) noexcept;
  ProgressBar& operator=(ProgressBar&& other) noexcept;
  ~ProgressBar();

  void report(const std::string& message);
  void end(const std::string& message);  // once; later calls do nothing

 private:
  Connection* connection_ = nullptr;
  std::string token_;
};

class Client {
 public:
  Client(Connection& connection, const Capabilities& can) : connection_(connection), can_(can) {}

  void say(MessageType type, const std::string& message);  // window/showMessage
  void log(MessageType type, const std::string& message);  // window/logMessage
  bool show_document(const std::string& uri);              // false: not supported
  // `given` gets what the user typed; empty if nothing, or if the editor cannot ask.
  void input(const std::string& prompt, const std::string& placeholder,
             std::function<void(const std::string&)> given);
  void configuration(std::function<void(const Json&)> given);  // of the section "bodkin"
  // `versions`: of the documents as the edit was made for them, by URI.
  void apply_edit(const std::string& label, Json edit, Json versions,
                  std::function<void(const Result<Json>&)>);
  // Registers for changes of files on disk. If the editor refuses, that is fine: the index looks at
  // the disk before each ask.
  void watch_files(const std::vector<std::string>& globs);
  // A bar that does nothing if the editor does not support progress.
  ProgressBar progress(const std::string& token, const std::string& title);
  // One of our own notifications (lsp/protocol/extensions.h).
  void notify(const char* method, Json params) { connection_.notify(method, std::move(params)); }

 private:
  Connection& connection_;
  const Capabilities& can_;
};

}  // namespace bodkin::lsp
