// WireJson: parses what providers send as almost-JSON, with tolerant lookups.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace bodkin {

// Parses what a provider sent. Invalid UTF-8 becomes U+FFFD. A lone surrogate escape (servers that
// count in UTF-16 cut a character over two deltas: "\ud83d" | "\ude00") becomes a mark that
// SurrogateJoiner understands: U+FDEF and three of U+FDD0..U+FDDF, a nibble each (noncharacters
// that no text contains). Nullopt: not JSON, or `stop` was requested.
// `unique_names`: see JsonLimits.
std::optional<nlohmann::json> parse_wire_json(std::string_view text,
                                              const std::stop_token& stop = {},
                                              bool unique_names = false);

// The JSON text with U+FFFD for each escape of half a character ("\ud83d" alone), which programs
// write that cut texts by UTF-16 units.
std::string without_lone_surrogates(std::string_view text);

// Joins the marks of two deltas into the character they are halves of.
class SurrogateJoiner {
 public:
  std::string take(std::string_view delta);
  std::string finish();  // a half without its other half becomes U+FFFD

 private:
  std::string held_;  // a mark of a high half at the end of a delta
};
// The same for every string in a value.
void join_surrogates(nlohmann::json& value);

// Tolerant lookups: null, missing and wrong types give the default.
const nlohmann::json& at(const nlohmann::json& object, std::string_view key);
std::string string_at(const nlohmann::json& object, std::string_view key);
int64_t int_at(const nlohmann::json& object, std::string_view key);
// A number of tokens: limits and sums are counted with these, so one below 0 or above a billion
// does not count as a number either.
int64_t tokens_at(const nlohmann::json& object, std::string_view key);

}  // namespace bodkin
