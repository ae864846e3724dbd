// 64-bit FNV-1a: recognizes a text, but does not resist someone who constructs a collision.
#pragma once

#include <cstdint>
#include <string_view>

namespace bodkin {

// `hash`: of the bytes before these.
constexpr uint64_t fnv1a(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace bodkin
