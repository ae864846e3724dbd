// DraftModel: the model that finishes the sketches of the tool `edit_file` (the setting
// model.draft).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "agent/models/model.h"

namespace bodkin {

struct DraftModel {
  // Makes it, when it is first needed; its error is for the user. Empty: the ask's own model.
  std::function<Result<Model*>(const Task&)> get = {};
  std::optional<double> temperature = {};  // nothing: the provider's own
  std::string prompt = {};                 // its system prompt; empty: the built-in one
};

}  // namespace bodkin
