// Sets up where a provider is reached and with which key, by the user's settings: a key is only
// sent where it belongs (agent/README.md, "Model").
#pragma once

#include "agent/models/keys.h"
#include "agent/models/providers/providers.h"

namespace bodkin {

struct Wired {
  Wire wire;  // without the model's name
  Key key;
};

// The user's settings for `provider`, from any of the places that have some.
ModelSettings settings_for(const ModelSettings& settings, std::string_view provider);

// The base URL as the user wrote it, without a trailing slash; without a scheme, https unless it is
// this machine. "": the user must set it. Error: not a URL that can be used.
Result<std::string> endpoint_for(const ModelSettings& settings, const Provider& provider);

// Looks up the key for this base URL (find_key), and may take as long. The error says what to set,
// or why the key is not sent there.
Result<Wired> wire_for(const ModelSettings& settings, const Provider& provider, std::string base,
                       EditorModels* editor, const Task& task);

}  // namespace bodkin
