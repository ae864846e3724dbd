// Secrets for tests, put together here, so that no scanner takes a test for a leak.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

inline std::string random_text(size_t size, const char* letters, unsigned seed) {
  std::string text;
  const std::string_view from(letters);
  for (size_t i = 0; i < size; ++i) {
    seed = seed * 1103515245u + 12345u;
    text += from[(seed >> 16) % from.size()];
  }
  return text;
}
inline constexpr char kAll[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
inline constexpr char kUpper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
inline constexpr char kHex[] = "0123456789abcdef";
inline constexpr char kBody[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";

inline std::string all(size_t size, unsigned seed = 7) { return random_text(size, kAll, seed); }

inline std::string key_block(const std::string& label, size_t lines,
                             const std::string& prefix = "") {
  std::string text = prefix + "-----BEGIN " + label + "-----\n";
  for (size_t i = 0; i < lines; ++i) {
    text += prefix + random_text(i + 1 == lines ? 20 : 64, kBody, 100 + static_cast<unsigned>(i)) +
            "\n";
  }
  return text + prefix + "-----END " + label + "-----\n";
}

}  // namespace bodkin
