// Patterns in which * matches any characters.
#pragma once

#include <optional>
#include <string_view>

namespace bodkin {

// Matches the whole text. `open`: this character in the text matches any characters, too, so that
// it is enough that the pattern may match.
bool wildcard_matches(std::string_view pattern, std::string_view text,
                      std::optional<char> open = std::nullopt);

}  // namespace bodkin
