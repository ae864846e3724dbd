#include "agent/support/base64.h"

#include <cstdint>
#include <utility>

namespace bodkin {

namespace {

constexpr std::string_view kBase64Letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      text += k <= count ? kBase64Letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  std::string bytes;
  uint32_t group = 0;
  int bits = 0;
  bool has_ended = false;
  for (const char letter : text) {
    if (letter == '\n' || letter == '\r') continue;
    if (letter == '=') {
      has_ended = true;
      continue;
    }
    const size_t value = kBase64Letters.find(letter);
    if (has_ended || value == kBase64Letters.npos) return std::nullopt;
    group = group << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xFF);
  }
  return bits < 6 ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace bodkin
