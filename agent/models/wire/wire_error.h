// WireError: what a provider calls an error, as one of ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// The error in a provider's JSON: {"error":{…}}, [{"error":…}], {"error":"…"}, {"type":"error",…},
// {"detail"/"message":…}. Nothing: there is none.
std::optional<ModelError> error_in(const nlohmann::json& body, int status);
// Sorts by the provider's words and the status into the kinds of ModelError.
std::string kind_of_error(std::string_view word, std::string_view message, int status);

}  // namespace bodkin
