// The markers that replace secrets in text for a model.
#include <cstdint>
#include <random>

#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

constexpr std::string_view kMarkerBegin = "[secret ", kMarkerEnd = " removed by bodkin]";
constexpr size_t kTag = 4;

// A marker does not reveal whether a guess of the secret is right.
uint64_t tag_seed() {
  static const uint64_t kSeed = [] {
    std::random_device random;
    return (uint64_t{random()} << 32) | random();
  }();
  return kSeed;
}

std::string marker_of(std::string_view secret, uint64_t salt) {
  uint64_t hash = tag_seed() + salt * 0x9E3779B97F4A7C15u;
  for (const char c : secret) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3u;
    hash ^= hash >> 29;
  }
  hash *= 0xBF58476D1CE4E5B9u;
  hash ^= hash >> 32;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string tag;
  for (size_t i = 0; i < kTag; ++i, hash >>= 4) tag += kDigits[hash & 15];
  return std::string(kMarkerBegin) + tag + std::string(kMarkerEnd);
}

}  // namespace

WithoutSecrets without_secrets(std::string_view text) {
  WithoutSecrets result;
  size_t from = 0;
  for (const SecretPlace& place : find_secrets(text)) {
    const std::string_view secret = text.substr(place.begin, place.end - place.begin);
    std::string marker;
    for (uint64_t salt = 0;; ++salt) {
      marker = marker_of(secret, salt);
      const auto [known, is_new] = result.secrets.try_emplace(marker, secret);
      if (known->second == secret) break;
    }
    result.text.append(text, from, place.begin - from);
    result.text += marker;
    from = place.end;
    if (!place.is_continuation) ++result.count;
  }
  result.text.append(text, from);
  return result;
}

std::string hide_secrets(std::string text) {
  if (find_secrets(text).empty()) return text;
  return without_secrets(text).text;
}

bool has_piece_of_marker(std::string_view text) {
  if (text.find("removed by bodkin]") != text.npos) return true;
  for (size_t at = text.find(kMarkerBegin); at != text.npos; at = text.find(kMarkerBegin, at + 1)) {
    const std::string_view tag = text.substr(at + kMarkerBegin.size(), kTag + 1);
    if (tag.find_first_not_of("0123456789abcdef") == kTag && tag[kTag] == ' ') return true;
  }
  return false;
}

std::map<std::string, size_t, std::less<>> markers_in(std::string_view text) {
  std::map<std::string, size_t, std::less<>> found;
  const size_t size = kMarkerBegin.size() + kTag + kMarkerEnd.size();
  for (size_t at = text.find(kMarkerBegin); at != text.npos; at = text.find(kMarkerBegin, at + 1)) {
    const std::string_view marker = text.substr(at, size);
    if (marker.ends_with(kMarkerEnd)) ++found[std::string(marker)];
  }
  return found;
}

}  // namespace bodkin
