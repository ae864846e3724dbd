// Exact placing is a search for bytes in a file, which may have many megabytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace bodkin {

// The position of `wanted` (not empty) in `bytes` at or after `from`; npos if it does not occur.
// Takes linear time, however often a part of it occurs, which std::string_view::find does not.
size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from = 0);

}  // namespace bodkin
