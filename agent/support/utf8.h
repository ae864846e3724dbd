// Utf8Cutter: makes pieces that were cut anywhere into pieces that are valid UTF-8 each.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

class Utf8Cutter {
 public:
  // Takes bytes, gives those that are whole characters by now. Bytes that can never become a
  // character come out as U+FFFD.
  std::string take(std::string_view bytes);
  // The end: a character that was begun and not ended is one U+FFFD.
  std::string finish();

 private:
  std::string held_;  // at most three bytes: the begin of a character
};

// The text with every byte that is not part of a character replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);

}  // namespace bodkin
