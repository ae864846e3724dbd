// Utf8Cutter: turns chunks that were cut at arbitrary bytes into chunks of valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

class Utf8Cutter {
 public:
  // Takes bytes and returns the characters complete so far. Invalid bytes become U+FFFD.
  std::string take(std::string_view bytes);
  // The end of input: an incomplete character becomes one U+FFFD.
  std::string finish();

 private:
  std::string held_;  // at most three bytes: the start of a character
};

// The text with every byte that is not part of a character replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);

}  // namespace bodkin
