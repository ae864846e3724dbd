#pragma once

#include <string>
#include <string_view>

namespace bodkin::os {

std::string sha256(std::string_view text);  // 32 bytes

}  // namespace bodkin::os
