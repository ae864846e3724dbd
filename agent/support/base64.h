#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// RFC 4648, with padding and without line ends.
std::string base64_of(std::string_view bytes);

}  // namespace bodkin
