// Keeps secrets out of recordings.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bodkin {

// The same, but each secret in its texts and in the names of its members is replaced by stars: what
// looks like one, and the values of the environment's variables that hold keys.
nlohmann::json recording_without_secrets(const nlohmann::json& recording);

}  // namespace bodkin
