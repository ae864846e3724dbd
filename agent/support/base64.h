#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

// RFC 4648, with padding and without line ends.
std::string base64_of(std::string_view bytes);
// Line ends are skipped, the padding may be missing. Nullopt: it is not base64.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace bodkin
