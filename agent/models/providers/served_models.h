// The models that a provider's server lists, for choosing one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/providers/providers.h"
#include "agent/models/wire/wire_format.h"

namespace bodkin {

// Asks the provider's server with its key, for at most 5 s; blocks. `endpoint`: a server other than
// the one in the settings, which gets no key of theirs; or "". The names are in the server's order,
// at most kMaxNames, without invalid ones. The error is one sentence: there is no key, or the
// server lists none.
Result<std::vector<std::string>> served_models(const ModelSettings& settings,
                                               const std::string& provider,
                                               const std::string& endpoint, EditorModels* editor,
                                               const Task& task);

// The name of a model at `key` of a server's answer; "": there is none, or what is there cannot be
// one, because it is longer than 200 bytes or cannot be shown as it is.
std::string model_name_at(const nlohmann::json& entry, std::string_view key);
inline constexpr size_t kMaxNames = 2000;  // of a list; the rest of it is ignored

// The names in a list's body, of any format; Gemini's only if they generate text.
std::vector<std::string> names_in_list(std::string_view body);

// Reads the facts that such a list gives about a model besides its name; prices as in OpenRouter's.
ModelFacts facts_in_list(std::string_view body, std::string_view name);
// Asks the server once for it, for at most 2 s; nothing: it lists none. Thread: any.
ModelFacts served_facts(const WireFormat& format, const Wire& wire, const Task& task);

}  // namespace bodkin
