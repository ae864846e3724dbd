#include "agent/ask/limits.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

const ModelFacts kPriced{.price = {.input = 4, .output = 20}};

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
  CHECK(!limit_met(limits, after(24, 100), kModel, limits));
  CHECK(limit_met(limits, after(25, 100), kModel, limits)->reason.find("agent.maxTurns") !=
        std::string::npos);
  limits = {.max_turns = 0, .max_tokens = 1000};
  CHECK(!limit_met(limits, after(4, 100), kModel, limits));
  CHECK(limit_met(limits, after(5, 100), kModel, limits)->reason.find("agent.maxTokens") !=
        std::string::npos);
  limits = {.max_cost_usd = 0.001};
  CHECK(!limit_met(limits, after(0, 0), kModel, limits));
  CHECK(limit_met(limits, after(2, 100'000), kModel, limits)->reason.find("maxCostUsd") !=
        std::string::npos);
  limits = {.max_minutes = 2};
  Spent spent;
  spent.time = std::chrono::seconds(119);
  CHECK(!limit_met(limits, spent, kModel, limits));
  spent.time = std::chrono::seconds(120);
  CHECK(limit_met(limits, spent, kModel, limits)->reason.find("agent.maxMinutes") !=
        std::string::npos);
}

TEST_CASE("a limit is raised by as much again, from where the ask is") {
  const Limits by{.max_turns = 25, .max_tokens = 1000, .max_minutes = 2};
  Limits limits = by;
  const auto met = limit_met(limits, after(25, 10), kModel, by);
  REQUIRE(met.has_value());
  CHECK(met->question == "Continue for 25 more requests? (25 requests to the model so far)");
  raise(limits, met->which, after(25, 10), by);
  CHECK(!limit_met(limits, after(49, 10), kModel, by));
  CHECK(limit_met(limits, after(50, 10), kModel, by)->which == MetLimit::Which::turns);
  Spent spent;
  spent.time = std::chrono::minutes(10);  // the user answered late
  raise(limits, MetLimit::Which::minutes, spent, by);
  spent.time = std::chrono::minutes(11);
  CHECK(!limit_met(limits, spent, kModel, by));
}

TEST_CASE("whichever limit is met, it is raised far enough for another request") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const auto day = std::make_shared<DaySpending>(folder->path() + "/state/spending.json");
  day->add(2);
  Spent counted = after(3, 500'000), uncounted;
  uncounted.uncounted = 5'259;
  counted.time = uncounted.time = std::chrono::minutes(7);
  for (const auto& [by, spent, which] : {
           std::tuple(Limits{.max_turns = 2}, counted, MetLimit::Which::turns),
           std::tuple(Limits{.max_tokens = 3000}, counted, MetLimit::Which::tokens),
           std::tuple(Limits{.max_tokens = 3000}, uncounted, MetLimit::Which::tokens),
           std::tuple(Limits{.max_cost_usd = 0.01}, counted, MetLimit::Which::cost),
           std::tuple(Limits{.max_cost_usd_per_day = 1, .day = day}, counted,
                      MetLimit::Which::cost_per_day),
           std::tuple(Limits{.max_minutes = 2}, counted, MetLimit::Which::minutes),
       }) {
    CAPTURE(static_cast<int>(which));
    Limits limits = by;
    const auto met = limit_met(limits, spent, kModel, by);
    REQUIRE(met);
    CHECK(met->which == which);
    raise(limits, met->which, spent, by);
    CHECK(!limit_met(limits, spent, kModel, by));
  }
}

TEST_CASE("a request that broke off has a cost that nobody knows, unless the model is free") {
  Spent spent;
  add_unanswered(spent, 900, kPriced);
  CHECK(spent.turns == 1);
  CHECK(spent.uncounted == 900);
  CHECK(!spent.cost_usd);
  Spent free;
  add_unanswered(free, 900, ModelFacts{.price = {.input = 0, .output = 0}});
  CHECK(free.cost_usd == 0);
  CHECK(may_have_cost({"cancelled", "Cancelled.", 0}));
  CHECK(!may_have_cost({"authentication", "Wrong key.", 401}));
}

TEST_CASE("the budget of a day counts what all asks have cost, also in another process") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const std::string file = folder->path() + "/state/spending.json";
  Limits limits{.max_cost_usd_per_day = 1};
  limits.day = std::make_shared<DaySpending>(file);
  CHECK(!limit_met(limits, Spent(), kModel, limits));
  DaySpending(file).add(0.75);
  CHECK(!limit_met(limits, Spent(), kModel, limits));
  DaySpending(file).add(0.5);
  const auto met = limit_met(limits, Spent(), kModel, limits);
  REQUIRE(met.has_value());
  CHECK(met->reason == "Stopped after 1.25 USD today (bodkin.agent.maxCostUsdPerDay).");
  const Limits by = limits;
  raise(limits, met->which, Spent(), by);
  CHECK(!limit_met(limits, Spent(), kModel, by));
  std::ofstream(file) << R"({"days": {"2001-01-01": 99}})";
  CHECK(DaySpending(file).usd() == 0);
  DaySpending(file).add(0.5);
  CHECK(DaySpending(file).usd() == 0.5);
  std::ofstream(file) << "garbage";
  CHECK(DaySpending(file).usd() == 0);
}

TEST_CASE("a budget of a day that cannot be written down asks nothing at all") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  std::filesystem::create_directories(folder->path() + "/spending.json/in the way");
  Limits limits{.max_cost_usd_per_day = 1};
  limits.day = std::make_shared<DaySpending>(folder->path() + "/spending.json");
  const auto met = limit_met(limits, Spent(), kModel, limits);
  REQUIRE(met.has_value());
  CHECK(met->reason.starts_with("No request was sent: today's spending cannot be recorded"));
}

TEST_CASE("what no provider has counted has an unknown price, and counts by an estimate") {
  Spent spent;
  add(spent, Usage(), kModel.facts());
  CHECK(!spent.cost_usd);
  spent.uncounted = 600;
  const Limits limits{.max_tokens = 500};
  REQUIRE(limit_met(limits, spent, kModel, limits));
}

TEST_CASE("a limit of cost is not kept by guessing: with an unknown price the user decides") {
  Limits limits{.max_cost_usd = 1};
  const auto met = limit_met(limits, Spent(), kUnknown, limits);
  REQUIRE(met.has_value());
  CHECK(met->reason.starts_with("No request was sent: the price of m at"));
  CHECK(met->question ==
        "Ask m at http://127.0.0.1:1 without a limit of the cost? (Its price is unknown.)");
  raise(limits, met->which, Spent(), limits);
  CHECK(!limit_met(limits, Spent(), kUnknown, limits));
  CHECK(!limit_met(Limits(), Spent(), kUnknown, Limits()));
}

TEST_CASE("the price is what the model itself says, the user's own entries too") {
  Spent spent;
  add(spent, {1'000'000, 0, 0, 0, 0}, ModelFacts{.price = {.input = 7, .output = 1}});
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
