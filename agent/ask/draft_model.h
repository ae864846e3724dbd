// DraftModel: the model that finishes the sketches of the tool `edit_file` (the setting
// model.draft).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/models/providers/providers.h"

namespace bodkin {

struct DraftModel {
  // Makes it when it is first needed; its error is for the user. Empty: the ask's own model.
  std::function<Result<Model*>(const Task&)> get = {};
  std::optional<double> temperature = {};  // nothing: the provider's own
  std::string prompt = {};                 // its system prompt; empty: the built-in one
};

// Makes the model that the settings name. `made` keeps the model and outlives the result, as does
// `editor`, which may be null.
DraftModel draft_model_of(DraftModelSettings settings, EditorModels* editor,
                          std::unique_ptr<Model>& made);

}  // namespace bodkin
