// Log: the server's own words, newest last, kept for bodkin.showLog. Main thread only.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "lsp/editor/client.h"

namespace bodkin::lsp {

class Log {
 public:
  // Where a line goes besides; set by the server.
  std::function<void(MessageType, const std::string&)> pass_on;
  MessageType most = MessageType::information;  // what says more than this is left out

  void add(MessageType type, const std::string& line);
  std::string text() const;

 private:
  std::deque<std::string> lines_;
};

}  // namespace bodkin::lsp
