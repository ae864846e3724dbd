// What is known of a model besides its name: windows and prices, from agent/models.json.
#pragma once

#include <optional>
#include <string_view>

#include "agent/model.h"

namespace bodkin {

struct ModelFacts {
  std::optional<int64_t> window, max_output;  // tokens
  // USD per million tokens; nothing: not known.
  std::optional<double> input, output, cache_read, cache_write;
  std::optional<int64_t> price_up_to_input;  // a longer prompt costs more than is known here
};

// The facts of the longest name in the table that `model` begins with ("claude-opus-5-5-20260922"),
// a vendor in front of a slash aside. Of an unknown model nothing is known.
ModelFacts facts_of(std::string_view model);

// In USD; nothing where a price that is needed is not known.
std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage);

}  // namespace bodkin
