// shortened_to, titled_to: the beginning of a text that may be too long to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bodkin {

// A text of more than `most` bytes ends there, or before the UTF-8 sequence that would be cut, and
// then has "…", which does not count.
std::string shortened_to(std::string_view text, size_t most);

// The same for a person: after a whole word, unless that would leave less than half.
std::string titled_to(std::string_view text, size_t most);

}  // namespace bodkin
