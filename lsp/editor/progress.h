// ProgressBar: a work-done progress that ends itself (LSP 3.17, "Work Done Progress"). The token is
// a string, because Zed accepts nothing else. Main thread only.
#pragma once

#include <string>

#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

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

}  // namespace bodkin::lsp
