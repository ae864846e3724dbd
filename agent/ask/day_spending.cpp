#include "agent/ask/day_spending.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "agent/support/kept_json.h"

namespace bodkin {

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
