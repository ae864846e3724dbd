// Log: the server's log lines, newest last, kept for bodkin.showLog. Main thread only.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "lsp/editor/client.h"

namespace bodkin::lsp {

class Log {
 public:
  // Also receives each line; set by the server.
  std::function<void(MessageType, const std::string&)> pass_on;
  MessageType most = MessageType::information;  // anything more verbose is dropped

  void add(MessageType type, const std::string& line);
  std::string text() const;

 private:
  std::deque<std::string> lines_;
};

}  // namespace bodkin::lsp
