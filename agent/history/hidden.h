// Hides the secrets of a text that the history keeps: stars in their place, byte for byte, so that
// offsets stay valid. Unlike the markers for a model, they are the same in each run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bodkin {

std::string without_secret_bytes(std::string text);
// Hides them in every string, also if only its key says that it is a secret.
nlohmann::json without_secret_bytes(nlohmann::json value);

// The size, in bytes, of the part of a growing text that can be kept: the rest is the beginning of
// a word, or of a private key, and may turn out to be a secret.
size_t storable_size(std::string_view text);

}  // namespace bodkin
