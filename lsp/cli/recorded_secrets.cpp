#include "lsp/cli/recorded_secrets.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/paths.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

using nlohmann::json;

namespace {

// The values of the variables that hold keys: those have any form, and a file or a command may
// repeat them.
std::vector<std::string> keys_in_environment() {
  constexpr size_t kShortest = 8;  // bytes; what is shorter may be any word
  std::vector<std::string> keys;
  for (const std::string& variable : os::environment()) {
    const std::string_view all = variable;
    const std::string_view name = all.substr(0, all.find('='));
    const std::string_view value = all.substr(std::min(name.size() + 1, all.size()));
    const bool is_key =
        std::ranges::any_of(std::array{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD"},
                            [&](std::string_view end) { return name.ends_with(end); });
    if (is_key && value.size() >= kShortest) keys.emplace_back(value);
  }
  return keys;
}

std::string without_secrets(std::string text, const std::vector<std::string>& keys) {
  constexpr std::string_view kHidden = "***";  // as comparable() leaves any secret
  for (const std::string& key : keys)
    for (size_t at = 0; (at = text.find(key, at)) != text.npos; at += kHidden.size())
      text.replace(at, key.size(), kHidden);
  return hide_secrets(text);
}

// The texts in it, also the names of members, without secrets.
json without_secrets_in(const json& value, const std::vector<std::string>& keys) {
  if (value.is_string()) return without_secrets(value.get<std::string>(), keys);
  if (!value.is_structured()) return value;
  json result = value.is_object() ? json::object() : json::array();
  if (value.is_object()) {
    for (const auto& [key, each] : value.items())
      result[without_secrets(key, keys)] = without_secrets_in(each, keys);
  } else {
    for (const json& each : value) result.push_back(without_secrets_in(each, keys));
  }
  return result;
}

}  // namespace

json recording_without_secrets(const json& recording) {
  return without_secrets_in(recording, keys_in_environment());
}

}  // namespace bodkin
