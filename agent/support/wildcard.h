// Patterns in which * stands for any characters.
#pragma once

#include <optional>
#include <string_view>

namespace bodkin {

// The whole text. `open`: this character in the text stands for any characters, too, so that it is
// enough that the pattern may match.
bool wildcard_matches(std::string_view pattern, std::string_view text,
                      std::optional<char> open = std::nullopt);

}  // namespace bodkin
