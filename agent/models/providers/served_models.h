// The models that a provider's server lists, for choosing one.
#pragma once

#include <string>
#include <vector>

#include "agent/models/providers/providers.h"

namespace bodkin {

// Asks the provider's server with its key, for at most 5 s; blocks. `endpoint`: of another server
// than the settings name, which gets no key of theirs; or "". The names are in the server's order,
// at most 2,000, without those that are too long to be one. The error is one sentence: there is no
// key, or the server lists none.
Result<std::vector<std::string>> served_models(const ModelSettings& settings,
                                               const std::string& provider,
                                               const std::string& endpoint, EditorModels* editor,
                                               const Task& task);

// The names in a list's body, of any format; Gemini's only if they generate text.
std::vector<std::string> names_in_list(std::string_view body);

}  // namespace bodkin
