// Limits of one ask, checked before each request to the model. Copied into each ask; what a copy
// points to is shared by threads, and atomic.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "agent/ask/mode.h"
#include "agent/models/model.h"
#include "agent/workspace/grants.h"
#include "agent/workspace/permission.h"

namespace bodkin {

// DaySpending: what all asks of the user have cost since midnight, local time, also those of other
// processes. Any thread.
class DaySpending {
 public:
  // Kept in `file`: {"days": {"2026-11-23": 0.42}}, recent days only, several since the local day
  // depends on the time zone. Empty: nothing is kept.
  explicit DaySpending(std::string file) : file_(std::move(file)) {}

  double usd() const;
  void add(double usd) const;  // what cannot be written is lost
  bool can_add() const;        // it can be written now

 private:
  const std::string file_;
};

class DraftChecker;
class Mcp;
struct Shell;

struct Limits {                     // 0: none
  int max_turns = 25;               // requests to the model in one ask
  int max_repairs = 2;              // how often the model is asked to repair what its edits broke
  int64_t max_tokens = 0;           // in and out, in one ask
  double max_cost_usd = 0;          // of one ask
  double max_cost_usd_per_day = 0;  // of all asks since midnight
  double max_minutes = 0;           // of one ask
  // Tokens of a request and its reply; 0: the model's own window, if it is known.
  int64_t window = 0;
  Permissions permissions = {};
  // Permissions that the user gave for good in this workspace; null: none, and none can be given.
  std::shared_ptr<Grants> grants = nullptr;
  // Today's spending, for max_cost_usd_per_day; null: it is not counted.
  std::shared_ptr<DaySpending> day = nullptr;
  // May change while the ask runs; null: confirm.
  std::shared_ptr<const std::atomic<Mode>> mode = nullptr;
  // Runs the model's commands (agent/sandbox/shell.h); null: it runs none.
  std::shared_ptr<const Shell> shell = nullptr;
  // The rest of a sentence that tells the user how to trust the folder.
  std::string way_to_trust = {};
  // The user's MCP servers (agent/tools/mcp.h); null if there are none.
  std::shared_ptr<Mcp> mcp = nullptr;
  // Checks the draft (agent/checkers/draft_checker.h); null: it is not checked.
  std::shared_ptr<DraftChecker> checker = nullptr;
};

struct Spent {
  int turns = 0;
  Usage usage;
  int64_t uncounted = 0;  // tokens, estimated: of requests that the provider did not count
  std::optional<double> cost_usd = 0;  // nothing: a price is unknown
  std::chrono::steady_clock::duration time{};
};
// The spending between two moments of a session. Its cost is unknown if one of theirs is.
Spent spent_since(const Spent& before, const Spent& now);
// Adds what was spent elsewhere, except its time. The sum's cost is unknown if one of theirs is.
void add(Spent& sum, const Spent& more);
// Adds one answered request to a model with these prices.
void add(Spent& spent, const Usage& usage, const ModelFacts& facts);
// Adds one request that was sent but whose reply broke off, so that its cost is unknown. `tokens`:
// estimated.
void add_unanswered(Spent& spent, int64_t tokens, const ModelFacts& facts);
// Whether a request that failed like this may have been processed before it failed.
bool may_have_cost(const ModelError& error);

struct MetLimit {
  enum class Which { turns, tokens, cost, cost_per_day, unknown_price, minutes };
  Which which = Which::turns;
  std::string reason;    // a sentence for the user
  std::string question;  // the title of the question whether to go on; empty: it cannot be raised
  std::string setting = {};  // which it is: "agent.maxTurns"
};
// The limit that forbids asking `model` again; nullopt: continue. `by`: as in raise().
std::optional<MetLimit> limit_met(const Limits& limits, const Spent& spent, const Model& model,
                                  const Limits& by);
// Adds the request's cost to the day's, if that is limited and the cost is known.
void add_today(const Limits& limits, const Usage& usage, const ModelFacts& facts);
// The user allowed it to go on: as much again as the settings give an ask, `by`; with a model of
// unknown price, without limits of the cost.
void raise(Limits& limits, MetLimit::Which which, const Spent& spent, const Limits& by);

}  // namespace bodkin
