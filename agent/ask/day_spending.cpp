#include "agent/ask/day_spending.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "agent/support/kept_json.h"

namespace bodkin {

namespace {

using nlohmann::json;

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[16] = "";
  if (::localtime_r(&now, &local)) std::strftime(text, sizeof text, "%Y-%m-%d", &local);
  return text;
}

double spent_on(const std::string& day, const json& kept) {
  if (!kept.is_object() || kept.value("day", json()) != day) return 0;
  const json usd = kept.value("usd", json());
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
    kept = {{"day", day}, {"usd", spent_on(day, kept) + usd}};
  });
}

}  // namespace bodkin
