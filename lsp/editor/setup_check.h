// check_setup: what works here, in sentences for the user: settings, keys (which, never their
// values), local servers, which model would be asked and why, and whether a small request to it
// works.
#pragma once

#include <functional>
#include <string>

#include "agent/models/providers/providers.h"

namespace bodkin {

using SayLine = std::function<void(const std::string& line)>;

// Blocks: up to a minute for a model that does not answer. Any thread but the loop's. `editor` may
// be null. False: no model answered.
bool check_setup(const ModelSettings& settings, EditorModels* editor, const Task& task,
                 const SayLine& say);

}  // namespace bodkin
