// parse_json and text_of_json: the only ways from text to JSON and back. Text from a model, a
// server, an editor or a file may be nested as deeply as it is long, and copying, comparing and
// printing values recurse.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace bodkin {

struct JsonLimits {
  size_t depth = 256;         // of nested objects and arrays
  size_t values = 4'000'000;  // a few megabytes of text can become a tree of hundreds
  bool comments = false;      // as users write in settings files
  bool unique_names = false;  // no object has a name twice; else the last one counts
};

// Nullopt if it is not JSON in UTF-8, exceeds a limit, or `stop` was requested; no memory is kept
// then. Thread: any.
std::optional<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {},
                                         const std::stop_token& stop = {});

// The same of an object; nullopt if it is another value.
std::optional<nlohmann::json> parse_object(std::string_view text, const JsonLimits& limits = {});

// JSON in one line, or with this indentation. Bytes that are not UTF-8 are replaced.
std::string text_of_json(const nlohmann::json& value, int indent = -1);

}  // namespace bodkin
