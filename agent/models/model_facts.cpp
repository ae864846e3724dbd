#include "agent/models/model_facts.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>

#include "agent/support/embedded.h"
#include "agent/support/json.h"
#include "agent/support/wildcard.h"
#include "agent/support/wire_json.h"
#include "edits/plan/paths.h"

namespace bodkin {
namespace {

using nlohmann::json;

template <class T>
std::optional<T> number_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  return value.is_number() ? std::optional(value.get<T>()) : std::nullopt;
}

// "claude-opus-5" is the beginning of "claude-opus-5-20260724", and not of "claude-opus-5-5".
bool names(std::string_view key, std::string_view model) {
  if (!model.starts_with(key)) return false;
  const std::string_view rest = model.substr(key.size());
  if (rest.empty()) return true;
  if (rest.find_first_not_of("-@:0123456789") == rest.npos)
    return rest.size() >= 8 || rest == "-001" || rest == "-002";  // a date or a revision
  return rest == "-latest" || rest == "-preview";
}

std::string utc_day(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

// The number of characters of the name that the key gives; 0 if it does not fit.
size_t fit(std::string_view key, std::string_view model) {
  const auto stars = static_cast<size_t>(std::ranges::count(key, '*'));
  const bool fits = stars == 0 ? names(key, model) : wildcard_matches(key, model);
  return fits ? key.size() - stars : 0;
}

json table() {
  return parse_json(embedded_text("models/models.json").value_or("")).value_or(json());
}

std::optional<bool> bool_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

// The entry of the longest name that fits, or null.
const json& entry_for(std::string_view model, const json& entries) {
  static const json kNone;
  const json* best = &kNone;
  size_t length = 0;
  if (entries.is_object())
    for (const auto& [name, facts] : entries.items())
      if (const size_t given = fit(name, model); given > length) {
        best = &facts;
        length = given;
      }
  return *best;
}

// The format whose list holds the model's name; the longest name counts. Empty: none.
std::string edit_format_of(std::string_view model, const json& lists) {
  std::string format;
  size_t length = 0;
  if (lists.is_object())
    for (const auto& [name, models] : lists.items())
      for (const json& one : models)
        if (const auto* key = one.get_ptr<const json::string_t*>();
            key && fit(*key, model) > length) {
          format = name;
          length = fit(*key, model);
        }
  return format;
}

std::string_view without_vendor(std::string_view model) { return last_part(model); }

const json& own_entry_for(std::string_view model, const json& own) {
  const json& full = entry_for(model, own);  // users may include the vendor
  return full.is_object() ? full : entry_for(without_vendor(model), own);
}

Prices prices_in(const json& prices) {
  return {.input = number_at<double>(prices, "input"),
          .output = number_at<double>(prices, "output"),
          .cache_read = number_at<double>(prices, "cache_read"),
          .cache_write = number_at<double>(prices, "cache_write"),
          .cache_write_hour = number_at<double>(prices, "cache_write_hour")};
}

ModelFacts facts_in(const json& entry, const std::string& today) {
  json price = at(entry, "price");
  if (const json& later = at(entry, "price_from"); later.is_object())  // in the order of the days
    for (const auto& [day, then] : later.items())
      if (day <= today) price = then;
  return {.window = number_at<int64_t>(entry, "window"),
          .max_output = number_at<int64_t>(entry, "max_output"),
          .has_tools = bool_at(entry, "tools"),
          .has_images = bool_at(entry, "images"),
          .price = prices_in(price),
          .dialect = string_at(entry, "dialect"),
          .edit_format = string_at(entry, "edit_format"),
          .thinks = string_at(entry, "thinks"),
          .price_up_to_input = number_at<int64_t>(entry, "price_up_to_input"),
          .above = prices_in(at(entry, "price_above"))};
}

}  // namespace

ModelFacts facts_of(std::string_view model, const json& own, std::string today) {
  static const json kTable = table();
  const std::string_view bare = without_vendor(model);
  json entry = entry_for(bare, at(kTable, "models"));
  if (const json& mine = own_entry_for(model, own); mine.is_object()) {
    if (!entry.is_object()) entry = json::object();
    entry.merge_patch(mine);
  }
  if (today.empty()) today = utc_day(std::chrono::system_clock::now());
  ModelFacts facts = facts_in(entry, today);
  if (!entry.is_object() || !entry.contains("edit_format"))
    facts.edit_format = edit_format_of(bare, at(kTable, "edit_formats"));
  return facts;
}

ModelFacts own_facts_of(std::string_view model, const json& own) {
  return facts_in(own_entry_for(model, own), "");
}

// Decides: what a request costs.
std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage) {
  if (usage.input == 0 && usage.output == 0) return std::nullopt;  // nobody has counted
  const bool is_long = facts.price_up_to_input && usage.input > *facts.price_up_to_input;
  const Prices& prices = is_long ? facts.above : facts.price;
  double cost = 0;
  const auto add = [&](int64_t tokens, const std::optional<double>& price) {
    if (tokens == 0) return true;
    if (price) cost += static_cast<double>(tokens) * *price / 1e6;
    return price.has_value();
  };
  const int64_t hour = std::min(usage.cache_write_hour, usage.cache_write);
  const int64_t uncached = std::max<int64_t>(0, usage.input - usage.cache_read - usage.cache_write);
  const bool known = add(uncached, prices.input) && add(usage.cache_read, prices.cache_read) &&
                     add(usage.cache_write - hour, prices.cache_write) &&
                     add(hour, prices.cache_write_hour) && add(usage.output, prices.output);
  return known && prices.input && prices.output ? std::optional(cost) : std::nullopt;
}

}  // namespace bodkin
