// ClientModels: the editor's models and secrets, requested from the client. The ask's thread waits;
// the loop's thread sends, and passes on deltas and the answer.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "agent/models/providers/editor_model.h"
#include "agent/rpc/event_loop.h"
#include "lsp/protocol/capabilities.h"

namespace bodkin::lsp {

// Created on the loop's thread; outlives all threads that use it. Handles $/progress.
class ClientModels : public EditorModels {
 public:
  ClientModels(EventLoop& loop, Connection& connection);

  void announced(const Capabilities& client);  // at initialize

  bool has_models() const override { return has_models_; }
  bool has_secrets() const override { return has_secrets_; }
  Result<Json> request(const char* method, Json params, const OnProgress& progress,
                       const Task& task) override;

 private:
  struct Wait;

  EventLoop& loop_;
  Connection& connection_;
  std::atomic<bool> has_models_ = false, has_secrets_ = false;
  std::map<std::string, std::weak_ptr<Wait>> by_token_;  // the loop's thread only
  std::atomic<uint64_t> next_token_ = 1;
};

}  // namespace bodkin::lsp
