#include "agent/models/model_facts.h"

#include <algorithm>

#include "agent/support/embedded.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"

namespace bodkin {
namespace {

using nlohmann::json;

template <class T>
std::optional<T> number_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  return value.is_number() ? std::optional(value.get<T>()) : std::nullopt;
}

// `*` stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  for (size_t at = star; at <= name.size(); ++at)
    if (matches(pattern, name.substr(at))) return true;
  return false;
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

// How much of the name the key gives; 0: it does not fit.
size_t fit(std::string_view key, std::string_view model) {
  constexpr size_t kMostStars = 3;
  const auto stars = static_cast<size_t>(std::ranges::count(key, '*'));
  const bool fits = stars == 0 ? names(key, model) : stars <= kMostStars && matches(key, model);
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

}  // namespace

ModelFacts facts_of(std::string_view model, const json& own) {
  static const json kTable = table();
  std::string_view bare = model;
  if (const size_t slash = model.rfind('/'); slash != model.npos) bare.remove_prefix(slash + 1);
  json entry = entry_for(bare, at(kTable, "models"));
  const json& full = entry_for(model, own);  // users may include the vendor
  const json& mine = full.is_object() ? full : entry_for(bare, own);
  if (mine.is_object()) {
    if (!entry.is_object()) entry = json::object();
    entry.merge_patch(mine);
  }
  const json& price = at(entry, "price");
  return {.window = number_at<int64_t>(entry, "window"),
          .max_output = number_at<int64_t>(entry, "max_output"),
          .has_tools = bool_at(entry, "tools"),
          .has_images = bool_at(entry, "images"),
          .input = number_at<double>(price, "input"),
          .output = number_at<double>(price, "output"),
          .cache_read = number_at<double>(price, "cache_read"),
          .cache_write = number_at<double>(price, "cache_write"),
          .dialect = string_at(entry, "dialect"),
          .edit_format = entry.is_object() && entry.contains("edit_format")
                             ? string_at(entry, "edit_format")
                             : edit_format_of(bare, at(kTable, "edit_formats")),
          .price_up_to_input = number_at<int64_t>(entry, "price_up_to_input")};
}

// Decides: what a request costs.
std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage) {
  if (facts.price_up_to_input && usage.input > *facts.price_up_to_input) return std::nullopt;
  if (usage.input == 0 && usage.output == 0) return std::nullopt;  // nobody has counted
  double cost = 0;
  const auto add = [&](int64_t tokens, const std::optional<double>& price) {
    if (tokens == 0) return true;
    if (price) cost += static_cast<double>(tokens) * *price / 1e6;
    return price.has_value();
  };
  const int64_t uncached = std::max<int64_t>(0, usage.input - usage.cache_read - usage.cache_write);
  const bool known = add(uncached, facts.input) && add(usage.cache_read, facts.cache_read) &&
                     add(usage.cache_write, facts.cache_write) && add(usage.output, facts.output);
  return known && facts.input && facts.output ? std::optional(cost) : std::nullopt;
}

}  // namespace bodkin
