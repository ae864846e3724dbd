// Limits of one ask, checked before each request to the model.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "agent/models/model_facts.h"
#include "agent/workspace/permission.h"

namespace bodkin {

class Mcp;
struct Shell;

struct Limits {             // 0: none
  int max_turns = 25;       // requests to the model in one ask
  int max_repairs = 2;      // how often the model is asked to repair what its edits broke
  int64_t max_tokens = 0;   // in and out, in one ask
  double max_cost_usd = 0;  // of one ask; a model with an unknown price is not asked
  double max_minutes = 0;   // of one ask
  Permissions permissions = {};
  // Where the model's commands run (agent/sandbox/shell.h); null: it runs none.
  std::shared_ptr<const Shell> shell = nullptr;
  // The user's MCP servers (agent/tools/mcp.h); null: there are none.
  std::shared_ptr<Mcp> mcp = nullptr;
};

struct Spent {
  int turns = 0;
  Usage usage;
  std::optional<double> cost_usd = 0;  // nothing: a price is unknown
  std::chrono::steady_clock::duration time{};
};
// Adds one answered request to a model with these prices.
void add(Spent& spent, const Usage& usage, const ModelFacts& facts);

// The limit that forbids asking `model` again, as a sentence for the user; nothing: continue.
std::optional<std::string> limit_met(const Limits& limits, const Spent& spent, const Model& model);

}  // namespace bodkin
