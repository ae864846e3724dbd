#include "agent/limits.h"

#include <doctest/doctest.h>

using namespace bodkin;

namespace {

constexpr char kPriced[] = "claude-opus-5-5";

Spent after(int turns, int64_t tokens) {
  Spent spent;
  for (int i = 0; i < turns; ++i) add(spent, {tokens, 0, 0, tokens, 0}, kPriced);
  return spent;
}

}  // namespace

TEST_CASE("each limit stops an ask, and says which setting it was") {
  Limits limits;
  CHECK(!limit_met(limits, after(24, 100), kPriced));
  CHECK(limit_met(limits, after(25, 100), kPriced)->find("agent.maxTurns") != std::string::npos);
  limits = {.max_turns = 0, .max_tokens = 1000};
  CHECK(!limit_met(limits, after(4, 100), kPriced));
  CHECK(limit_met(limits, after(5, 100), kPriced)->find("agent.maxTokens") != std::string::npos);
  limits = {.max_cost_usd = 0.001};
  CHECK(!limit_met(limits, after(0, 0), kPriced));
  CHECK(limit_met(limits, after(2, 100'000), kPriced)->find("maxCostUsd") != std::string::npos);
  limits = {.max_minutes = 2};
  Spent spent;
  spent.time = std::chrono::seconds(119);
  CHECK(!limit_met(limits, spent, kPriced));
  spent.time = std::chrono::seconds(120);
  CHECK(limit_met(limits, spent, kPriced)->find("agent.maxMinutes") != std::string::npos);
}

TEST_CASE("a limit of cost is not kept by guessing: an unknown price asks nothing at all") {
  const Limits limits{.max_cost_usd = 1};
  const auto met = limit_met(limits, Spent(), "a model that nobody knows");
  REQUIRE(met.has_value());
  CHECK(met->starts_with("Not asked: the price"));
  CHECK(!limit_met(Limits(), Spent(), "a model that nobody knows"));
}

TEST_CASE("what one price of many is not known for has no known cost") {
  Spent spent;
  add(spent, {100, 0, 0, 10, 0}, kPriced);
  CHECK(spent.cost_usd.has_value());
  add(spent, {100, 0, 0, 10, 0}, "a model that nobody knows");
  CHECK(!spent.cost_usd.has_value());
  CHECK(spent.turns == 2);
  CHECK(spent.usage.input == 200);
}
