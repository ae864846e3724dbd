// parse_json: the one way in which text becomes JSON. What comes from a model, a server, an editor
// or a file may be nested as deep as it is long, and copying, comparing and printing values
// recurse.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string_view>

namespace bodkin {

struct JsonLimits {
  size_t depth = 256;         // of objects and arrays in each other
  size_t values = 4'000'000;  // a text of a few megabytes may stand for a tree of hundreds
  bool comments = false;      // as people write them in settings
};

// Nothing: it is not JSON in UTF-8, beyond a limit, or `stop` was requested. Nothing of it is kept
// then. Thread: any.
std::optional<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {},
                                         const std::stop_token& stop = {});

}  // namespace bodkin
