#include "agent/ask/limits.h"

#include <fmt/format.h>

namespace bodkin {

std::optional<std::string> limit_met(const Limits& limits, const Spent& spent, const Model& model) {
  if (limits.max_turns > 0 && spent.turns >= limits.max_turns) {
    return fmt::format("Stopped after {} requests to the model (bodkin.agent.maxTurns).",
                       spent.turns);
  }
  const int64_t tokens = spent.usage.input + spent.usage.output;
  if (limits.max_tokens > 0 && tokens >= limits.max_tokens) {
    return fmt::format("Stopped after {} tokens (bodkin.agent.maxTokens).", tokens);
  }
  if (limits.max_cost_usd > 0) {
    const ModelFacts facts = model.facts();
    if (!spent.cost_usd || !facts.input || !facts.output) {
      return fmt::format(
          "Not asked: the price of {} is unknown, so bodkin.agent.maxCostUsd cannot be enforced.",
          model.description());
    }
    if (*spent.cost_usd >= limits.max_cost_usd) {
      return fmt::format("Stopped after {:.2f} USD (bodkin.agent.maxCostUsd).", *spent.cost_usd);
    }
  }
  const double minutes = std::chrono::duration<double, std::ratio<60>>(spent.time).count();
  if (limits.max_minutes > 0 && minutes >= limits.max_minutes) {
    return fmt::format("Stopped after {:.3g} minutes (bodkin.agent.maxMinutes).", minutes);
  }
  return std::nullopt;
}

void add(Spent& spent, const Usage& usage, const ModelFacts& facts) {
  ++spent.turns;
  Usage& sum = spent.usage;
  sum.input += usage.input;
  sum.cache_read += usage.cache_read;
  sum.cache_write += usage.cache_write;
  sum.output += usage.output;
  sum.reasoning += usage.reasoning;
  const auto cost = cost_of(facts, usage);
  if (spent.cost_usd && cost) *spent.cost_usd += *cost;
  if (!cost) spent.cost_usd.reset();
}

}  // namespace bodkin
