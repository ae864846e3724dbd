// What is known of a model by its name: windows and prices, from agent/models/models.json and the
// user.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// The facts of the longest name in the table that `model` begins with ("claude-opus-5-5-20260922"),
// a vendor in front of a slash aside. Of an unknown model nothing is known. `own` is the user's
// table of the same form ({"NAME": {"window", "max_output", "tools", "images", "dialect", "price":
// {…}}}; the setting models): where it names a model, each of its fields stands above the table's.
ModelFacts facts_of(std::string_view model, const nlohmann::json& own = nullptr);

// In USD; nothing where a price that is needed is not known.
std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage);

}  // namespace bodkin
