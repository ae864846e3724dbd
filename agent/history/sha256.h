// SHA-256 (FIPS 180-4): the address of a text, by which nobody can make two texts equal.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

std::string sha256(std::string_view bytes);  // 32 bytes

}  // namespace bodkin
