#include "grammars/parse_guard.h"

#include <algorithm>
#include <array>

namespace bodkin {
namespace {

constexpr size_t kLargestText = size_t{64} << 20;
constexpr size_t kLongestLine = size_t{1} << 20;  // bytes
constexpr size_t kMaxNuls = 100;
constexpr size_t kDeepest = 20'000;  // brackets in brackets

enum Kind : char { plain, opens, closes, ends_line, nul };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (unsigned char c : {'(', '[', '{'}) kinds[c] = opens;
  for (unsigned char c : {')', ']', '}'}) kinds[c] = closes;
  for (unsigned char c : {'\n', '\r'}) kinds[c] = ends_line;
  kinds[0] = nul;
  return kinds;
}();

}  // namespace

// Decides: which texts are not parsed.
std::string_view reason_not_to_parse(const Text& text) {
  if (text.size() > kLargestText) return "The file is too large to be parsed (the limit is 64 MB).";
  size_t nuls = 0, depth = 0, line_begin = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string_view chunk = text.chunk_at(at);
    for (size_t i = 0; i < chunk.size(); ++i) {
      switch (kKinds[static_cast<unsigned char>(chunk[i])]) {
        case plain:
          break;
        case opens:
          if (++depth > kDeepest)
            return "The file's brackets are nested too deeply to be parsed (the limit is 20,000).";
          break;
        case closes:
          depth -= depth > 0;
          break;
        case ends_line:
          if (at + i - line_begin > kLongestLine)
            return "A line of the file is too long to be parsed (the limit is 1 MB).";
          line_begin = at + i + 1;
          break;
        case nul:
          if (++nuls > kMaxNuls)
            return "The file is not parsed: it contains NUL bytes, so it is not text.";
          break;
      }
    }
    at += chunk.size();
  }
  if (text.size() - line_begin > kLongestLine)
    return "A line of the file is too long to be parsed (the limit is 1 MB).";
  return {};
}

}  // namespace bodkin
