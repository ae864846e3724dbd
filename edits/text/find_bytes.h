// The exact rung is a search for bytes in a file, which may have many megabytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace bodkin {

// Where `wanted`, which is not empty, stands in `bytes` at or behind `from`; npos: nowhere. Takes
// linear time. Looks at two bytes of `wanted` in many places at once; where others that stand
// there often are told apart by a third byte, that one is looked at instead.
size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from = 0);

}  // namespace bodkin
