#include "agent/ask/limits.h"

#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "agent/models/model_facts.h"
#include "agent/support/kept_json.h"
#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

using Which = MetLimit::Which;

double minutes_of(const Spent& spent) {
  return std::chrono::duration<double, std::ratio<60>>(spent.time).count();
}

int64_t tokens_of(const Spent& spent) {
  return spent.usage.input + spent.usage.output + spent.uncounted;
}

double today_of(const Limits& limits) { return limits.day ? limits.day->usd() : 0; }

// `more`: "25 more requests".
MetLimit met(Which which, const std::string& spent, const std::string& more, const char* setting) {
  return {which, fmt::format("Stopped after {} (bodkin.{}).", spent, setting),
          more.empty() ? "" : fmt::format("Continue for {}? ({} so far)", more, spent), setting};
}

std::string counted_more(int64_t count, const char* noun) {
  return fmt::format("{} more {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace

// Decides: which limit ends an ask.
std::optional<MetLimit> limit_met(const Limits& limits, const Spent& spent, const Model& model,
                                  const Limits& by) {
  if (limits.max_turns > 0 && spent.turns >= limits.max_turns) {
    return met(
        Which::turns,
        fmt::format("{} {} to the model", spent.turns, spent.turns == 1 ? "request" : "requests"),
        counted_more(by.max_turns, "request"), "agent.maxTurns");
  }
  const int64_t tokens = tokens_of(spent);
  if (limits.max_tokens > 0 && tokens >= limits.max_tokens) {
    return met(Which::tokens, grouped(tokens) + " tokens", counted_more(by.max_tokens, "token"),
               "agent.maxTokens");
  }
  if (limits.max_cost_usd > 0 || limits.max_cost_usd_per_day > 0) {
    const ModelFacts facts = model.facts();
    if (!spent.cost_usd || !facts.price.input || !facts.price.output) {
      const char* setting = limits.max_cost_usd > 0 ? "agent.maxCostUsd" : "agent.maxCostUsdPerDay";
      return MetLimit{
          Which::unknown_price,
          fmt::format("No request was sent: the price of {} is unknown, so bodkin.{} cannot be "
                      "enforced. Its price can be set in models.json, beside settings.json.",
                      model.description(), setting),
          fmt::format("Ask {} without a limit of the cost? (Its price is unknown.)",
                      model.description()),
          setting};
    }
    if (limits.max_cost_usd > 0 && *spent.cost_usd >= limits.max_cost_usd) {
      return met(Which::cost, fmt::format("{:.2f} USD", *spent.cost_usd),
                 fmt::format("{:.2f} USD more", by.max_cost_usd), "agent.maxCostUsd");
    }
    if (limits.max_cost_usd_per_day > 0 && limits.day && !limits.day->can_add()) {
      return MetLimit{Which::cost_per_day,
                      "No request was sent: today's spending cannot be recorded, so "
                      "bodkin.agent.maxCostUsdPerDay cannot be enforced.",
                      "", "agent.maxCostUsdPerDay"};
    }
    const double today = limits.max_cost_usd_per_day > 0 ? today_of(limits) : 0;
    if (limits.max_cost_usd_per_day > 0 && today >= limits.max_cost_usd_per_day) {
      return met(Which::cost_per_day, fmt::format("{:.2f} USD today", today),
                 fmt::format("{:.2f} USD more today", by.max_cost_usd_per_day),
                 "agent.maxCostUsdPerDay");
    }
  }
  const double minutes = minutes_of(spent);
  if (limits.max_minutes > 0 && minutes >= limits.max_minutes) {
    return met(Which::minutes, fmt::format("{:.3g} minutes", minutes),
               fmt::format("{:.3g} more minutes", by.max_minutes), "agent.maxMinutes");
  }
  return std::nullopt;
}

void raise(Limits& limits, Which which, const Spent& spent, const Limits& by) {
  switch (which) {
    case Which::turns:
      limits.max_turns = spent.turns + by.max_turns;
      break;
    case Which::tokens:
      limits.max_tokens = tokens_of(spent) + by.max_tokens;
      break;
    case Which::cost:
      limits.max_cost_usd = spent.cost_usd.value_or(0) + by.max_cost_usd;
      break;
    case Which::cost_per_day:
      limits.max_cost_usd_per_day = today_of(limits) + by.max_cost_usd_per_day;
      break;
    case Which::unknown_price:
      limits.max_cost_usd = limits.max_cost_usd_per_day = 0;
      break;
    case Which::minutes:
      limits.max_minutes = minutes_of(spent) + by.max_minutes;
      break;
  }
}

void add_today(const Limits& limits, const Usage& usage, const ModelFacts& facts) {
  if (limits.max_cost_usd_per_day <= 0 || !limits.day) return;
  if (const auto cost = cost_of(facts, usage)) limits.day->add(*cost);
}

void add(Spent& sum, const Spent& more) {
  sum.turns += more.turns;
  sum.usage.input += more.usage.input;
  sum.usage.cache_read += more.usage.cache_read;
  sum.usage.cache_write += more.usage.cache_write;
  sum.usage.output += more.usage.output;
  sum.usage.reasoning += more.usage.reasoning;
  if (sum.cost_usd && more.cost_usd) {
    *sum.cost_usd += *more.cost_usd;
  } else {
    sum.cost_usd.reset();
  }
}

Spent spent_since(const Spent& before, const Spent& now) {
  const Usage &to = now.usage, &from = before.usage;
  Spent spent;
  spent.turns = now.turns - before.turns;
  spent.usage = {to.input - from.input, to.cache_read - from.cache_read,
                 to.cache_write - from.cache_write, to.output - from.output,
                 to.reasoning - from.reasoning};
  if (now.cost_usd && before.cost_usd) {
    *spent.cost_usd = *now.cost_usd - *before.cost_usd;
  } else {
    spent.cost_usd.reset();
  }
  return spent;
}

void add_unanswered(Spent& spent, int64_t tokens, const ModelFacts& facts) {
  ++spent.turns;
  spent.uncounted += tokens;
  if (facts.price.input != 0.0 || facts.price.output != 0.0) spent.cost_usd.reset();
}

bool may_have_cost(const ModelError& error) {
  return error.kind == "cancelled" || error.kind == "truncated" || error.kind == "timeout";
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

namespace {

using nlohmann::json;

constexpr size_t kMaxDays = 3;  // the names sort like the days

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[16] = "";
  if (::localtime_r(&now, &local)) std::strftime(text, sizeof text, "%Y-%m-%d", &local);
  return text;
}

double spent_on(const std::string& day, const json& kept) {
  if (!kept.is_object() || !kept.contains("days") || !kept["days"].is_object()) return 0;
  const json usd = kept["days"].value(day, json());
  return usd.is_number() ? usd.get<double>() : 0;
}

}  // namespace

double DaySpending::usd() const {
  return file_.empty() ? 0 : spent_on(today(), read_kept_json(file_));
}

void DaySpending::add(double usd) const {
  if (file_.empty() || usd == 0) return;
  (void)change_kept_json(file_, [&](json& kept) {
    const std::string day = today();
    const double sum = spent_on(day, kept) + usd;
    if (!kept.is_object() || !kept.contains("days") || !kept["days"].is_object())
      kept = {{"days", json::object()}};
    kept["days"][day] = sum;
    while (kept["days"].size() > kMaxDays) kept["days"].erase(kept["days"].begin());
  });
}

bool DaySpending::can_add() const {
  return !file_.empty() && change_kept_json(file_, [](json&) {}).has_value();
}

}  // namespace bodkin
