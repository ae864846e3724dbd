// The choice of a model in a terminal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "agent/models/providers/providers.h"

namespace bodkin {

// The model that `settings` mean, and its provider: "claude-x (anthropic)"; "": none.
std::string model_in_words(const ModelSettings& settings);

// Shows what can be chosen, and the model in use, and writes the choice into the user's
// settings.json; nothing is written before. No key is asked for, only the name of the variable that
// holds it. The result are the settings model.* that were written; an empty object if the user
// keeps the model in use. Nullopt: none was chosen, and the user was told what to do. `own`: the
// user's settings.json as `settings` was read from it; if its model.* have changed meanwhile,
// nothing is written. `settings`: without a provider. `in_use`: with that of the next request.
// Needs a terminal (can_ask_user). Blocks.
std::optional<nlohmann::json> choose_model_in_terminal(const nlohmann::json& own,
                                                       const ModelSettings& settings,
                                                       const ModelSettings& in_use,
                                                       const Task& task,
                                                       bool in_conversation = false);

}  // namespace bodkin
