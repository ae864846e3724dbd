// WireError: translates a provider's errors into ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// The error in a provider's JSON: {"error":{…}}, [{"error":…}], {"error":"…"}, {"type":"error",…},
// {"detail"/"message":…}. Nullopt: no error.
std::optional<ModelError> error_in(const nlohmann::json& body, int status);
// The same of a stream that has said that it failed; `otherwise`: the words if it does not say why.
ModelError error_of_stream(const nlohmann::json& body,
                           const char* otherwise = "The provider reported an error.");
// The kind of a ModelError, by the provider's words and the status.
std::string kind_of_error(std::string_view word, std::string_view message, int status);

// A provider's message for the user: of a web page that is in it, only that there is one, and
// its title.
std::string without_page(std::string message);

}  // namespace bodkin
