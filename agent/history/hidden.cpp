#include "agent/history/hidden.h"

#include <algorithm>

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

constexpr size_t kLongest = 64 << 10;  // bytes of a secret

// The beginning of the last private key without an end; the text's size if there is none.
size_t begin_of_open_key(std::string_view text) {
  const size_t none = text.size();
  for (size_t at = text.rfind("PRIVATE KEY"); at != text.npos; at = text.rfind("PRIVATE KEY", at)) {
    const size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view label = text.substr(line, at - line);
    const size_t begin = label.rfind("BEGIN "), end = label.rfind("END ");
    if (end != label.npos && (begin == label.npos || begin < end)) return none;
    if (begin != label.npos) return text.substr(0, line + begin).find_last_not_of('-') + 1;
    if (at-- == 0) break;
  }
  return none;
}

}  // namespace

size_t storable_size(std::string_view text) {
  const size_t word = text.find_last_of(" \t\r\n") + 1;  // npos + 1 is 0
  const size_t storable = std::min(word, begin_of_open_key(text));
  return text.size() - storable > kLongest ? word : storable;
}

// Decides: how secrets are kept out of the history.
std::string without_secret_bytes(std::string text) {
  for (const SecretPlace& place : find_secrets(text))
    text.replace(place.begin, place.end - place.begin, place.end - place.begin, '*');
  return text;
}

nlohmann::json without_secret_bytes(nlohmann::json value) {
  hide_in_strings(value);
  const std::string text = text_of_json(value);
  const std::string hidden = without_secret_bytes(text);
  if (hidden == text) return value;
  // Stars in the place of half an escape: nothing of it is kept.
  return parse_json(hidden).value_or(nullptr);
}

}  // namespace bodkin
