#include "agent/ask/limits.h"

#include <doctest/doctest.h>

using namespace bodkin;

namespace {

const ModelFacts kPriced{.input = 4, .output = 20};

class ModelWith : public Model {
 public:
  explicit ModelWith(ModelFacts facts) : facts_(std::move(facts)) {}
  std::expected<ModelReply, ModelError> respond(const ModelRequest&, const Task&) override {
    return ModelReply();
  }
  std::string description() const override { return "m at http://127.0.0.1:1"; }
  bool has_tools() const override { return true; }
  ModelFacts facts() const override { return facts_; }

 private:
  ModelFacts facts_;
};

const ModelWith kModel(kPriced), kUnknown({});

Spent after(int turns, int64_t tokens) {
  Spent spent;
  for (int i = 0; i < turns; ++i) add(spent, {tokens, 0, 0, tokens, 0}, kPriced);
  return spent;
}

}  // namespace

TEST_CASE("each limit stops an ask, and says which setting it was") {
  Limits limits;
  CHECK(!limit_met(limits, after(24, 100), kModel));
  CHECK(limit_met(limits, after(25, 100), kModel)->find("agent.maxTurns") != std::string::npos);
  limits = {.max_turns = 0, .max_tokens = 1000};
  CHECK(!limit_met(limits, after(4, 100), kModel));
  CHECK(limit_met(limits, after(5, 100), kModel)->find("agent.maxTokens") != std::string::npos);
  limits = {.max_cost_usd = 0.001};
  CHECK(!limit_met(limits, after(0, 0), kModel));
  CHECK(limit_met(limits, after(2, 100'000), kModel)->find("maxCostUsd") != std::string::npos);
  limits = {.max_minutes = 2};
  Spent spent;
  spent.time = std::chrono::seconds(119);
  CHECK(!limit_met(limits, spent, kModel));
  spent.time = std::chrono::seconds(120);
  CHECK(limit_met(limits, spent, kModel)->find("agent.maxMinutes") != std::string::npos);
}

TEST_CASE("a limit of cost is not kept by guessing: an unknown price asks nothing at all") {
  const Limits limits{.max_cost_usd = 1};
  const auto met = limit_met(limits, Spent(), kUnknown);
  REQUIRE(met.has_value());
  CHECK(met->starts_with("Not asked: the price of m at"));
  CHECK(!limit_met(Limits(), Spent(), kUnknown));
}

TEST_CASE("the price is what the model itself says, the user's own entries too") {
  Spent spent;
  add(spent, {1'000'000, 0, 0, 0, 0}, ModelFacts{.input = 7, .output = 1});
  CHECK(*spent.cost_usd == doctest::Approx(7));
}

TEST_CASE("what one price of many is not known for has no known cost") {
  Spent spent;
  add(spent, {100, 0, 0, 10, 0}, kPriced);
  CHECK(spent.cost_usd.has_value());
  add(spent, {100, 0, 0, 10, 0}, ModelFacts());
  CHECK(!spent.cost_usd.has_value());
  CHECK(spent.turns == 2);
  CHECK(spent.usage.input == 200);
}
