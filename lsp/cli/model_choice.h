// The choice of a model in a terminal, for who has none yet.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "agent/models/providers/providers.h"

namespace bodkin {

// Shows what can be chosen, and writes the choice into the user's settings.json; nothing is written
// before. No key is asked for, only the name of the variable that holds it. The result are the
// settings model.* that were written. Nothing: none was chosen; then what the user can do is said.
// `own`: the user's settings.json as `settings` was read from it; if its model.* have changed
// meanwhile, nothing is written. `settings`: without a provider. Needs a terminal (can_ask_user).
// Blocks.
std::optional<nlohmann::json> choose_model_in_terminal(const nlohmann::json& own,
                                                       const ModelSettings& settings,
                                                       const Task& task,
                                                       bool in_conversation = false);

}  // namespace bodkin
