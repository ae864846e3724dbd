// Facts about models by their names: windows and prices, from agent/models/models.json and the
// user.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// The facts of the longest name in the table that is a prefix of `model`
// ("claude-opus-5-5-20260922"), ignoring a vendor before a slash; none for an unknown model. `own`
// is the user's table of the same form ({"NAME": {"window", "max_output", "tools", "images",
// "dialect", "edit_format", "price": {…}}}; the setting `models`): each field given there overrides
// the built-in table's. `today`: of the prices, "2026-12-01"; empty: the day (UTC).
ModelFacts facts_of(std::string_view model, const nlohmann::json& own = nullptr,
                    std::string today = "");
// Returns the facts in the user's own table, and nothing else.
ModelFacts own_facts_of(std::string_view model, const nlohmann::json& own);

// In USD; nullopt if a price that is needed is unknown.
std::optional<double> cost_of(const ModelFacts& facts, const Usage& usage);

}  // namespace bodkin
