// Refusals: what a provider has refused of the requests of a conversation, and need not have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "agent/models/model.h"

namespace bodkin {

// True if the server, or the model as it runs there, takes no tools, whatever the status: llama.cpp
// answers 500.
bool refuses_tools(const ModelError& error);

class Refusals {
 public:
  bool any() const { return !states_.empty() || !takes_effort_; }
  // Why `request`, which failed so, is sent again without what was refused: the end of a sentence
  // about the model. Nullopt: that would not help.
  std::optional<Progress> learn(const ModelError& error, const ModelRequest& request);
  ModelRequest acceptable(const ModelRequest& request) const;

 private:
  std::set<uint64_t> states_;  // hashes of what goes back to the provider with blocks
  bool takes_effort_ = true;
};

}  // namespace bodkin
