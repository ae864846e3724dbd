// Exact placing is a search for bytes in a file, which may have many megabytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace bodkin {

// The position of `wanted` (not empty) in `bytes` at or after `from`; npos if it does not occur.
// Takes linear time, however often a part of it occurs, which std::string_view::find does not.
inline size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from = 0) {
  if (from >= bytes.size()) return bytes.npos;
  const void* found =
      memmem(bytes.data() + from, bytes.size() - from, wanted.data(), wanted.size());
  return found ? static_cast<size_t>(static_cast<const char*>(found) - bytes.data()) : bytes.npos;
}

}  // namespace bodkin
