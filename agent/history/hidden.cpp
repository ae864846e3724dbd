#include "agent/history/hidden.h"

#include "agent/support/json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

void hide_in_strings(nlohmann::json& value) {
  if (value.is_string()) {
    value = without_secret_bytes(value.get<std::string>());
  } else if (value.is_structured()) {
    for (nlohmann::json& each : value) hide_in_strings(each);
  }
}

}  // namespace

std::string without_secret_bytes(std::string text) {
  for (const SecretPlace& place : find_secrets(text))
    text.replace(place.begin, place.end - place.begin, place.end - place.begin, '*');
  return text;
}

nlohmann::json without_secret_bytes(nlohmann::json value) {
  hide_in_strings(value);
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string hidden = without_secret_bytes(text);
  if (hidden == text) return value;
  // Stars in the place of half an escape: nothing of it is kept.
  return parse_json(hidden).value_or(nullptr);
}

}  // namespace bodkin
