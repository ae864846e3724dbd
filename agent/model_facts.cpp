#include "agent/model_facts.h"

#include "agent/embedded.h"
#include "agent/wire.h"

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

json table() {
  for (const EmbeddedText& file : embedded_texts())
    if (file.name == "models.json") return json::parse(file.text, nullptr, false);
  return {};
}

}  // namespace

ModelFacts facts_of(std::string_view model) {
  static const json kTable = table();
  if (const size_t slash = model.rfind('/'); slash != model.npos) model.remove_prefix(slash + 1);
  const json* best = nullptr;
  size_t length = 0;
  for (const auto& [name, facts] : at(kTable, "models").items())
    if (name.size() > length && names(name, model)) {
      best = &facts;
      length = name.size();
    }
  if (!best) return {};
  const json& price = at(*best, "price");
  return {number_at<int64_t>(*best, "window"),
          number_at<int64_t>(*best, "max_output"),
          number_at<double>(price, "input"),
          number_at<double>(price, "output"),
          number_at<double>(price, "cache_read"),
          number_at<double>(price, "cache_write"),
          number_at<int64_t>(*best, "price_up_to_input")};
}

std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage) {
  if (facts.price_up_to_input && usage.input > *facts.price_up_to_input) return std::nullopt;
  double cost = 0;
  const auto add = [&](int64_t tokens, const std::optional<double>& price) {
    if (tokens == 0) return true;
    if (price) cost += static_cast<double>(tokens) * *price / 1e6;
    return price.has_value();
  };
  const bool known = add(usage.input - usage.cache_read - usage.cache_write, facts.input) &&
                     add(usage.cache_read, facts.cache_read) &&
                     add(usage.cache_write, facts.cache_write) && add(usage.output, facts.output);
  return known && facts.input && facts.output ? std::optional(cost) : std::nullopt;
}

}  // namespace bodkin
