// Limits: what bounds one ask. They are looked at before each request to the model.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "agent/models/model_facts.h"
#include "agent/workspace/permission.h"

namespace bodkin {

struct Shell;

struct Limits {             // 0: none
  int max_turns = 25;       // requests to the model in one ask
  int max_repairs = 2;      // times that the model is sent back for what its edits broke
  int64_t max_tokens = 0;   // in and out, in one ask
  double max_cost_usd = 0;  // of one ask; a model whose price is not known is not asked
  double max_minutes = 0;   // of one ask
  Permissions permissions = {};
  // Where the model's commands run (agent/sandbox/shell.h); null: it runs none.
  std::shared_ptr<const Shell> shell = nullptr;
};

struct Spent {
  int turns = 0;
  Usage usage;
  std::optional<double> cost_usd = 0;  // nothing: a price is not known
  std::chrono::steady_clock::duration time{};
};
// One answered request more, to a model with these prices.
void add(Spent& spent, const Usage& usage, const ModelFacts& facts);

// The limit that is met before `model` is asked, as a sentence for the person; nothing: go on.
std::optional<std::string> limit_met(const Limits& limits, const Spent& spent, const Model& model);

}  // namespace bodkin
