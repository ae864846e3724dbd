// FNV-1a of 64 bits: to know a text again, not to withstand who wants two texts of one hash.
#pragma once

#include <cstdint>
#include <string_view>

namespace bodkin {

// `hash`: of what stands before these bytes.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace bodkin
