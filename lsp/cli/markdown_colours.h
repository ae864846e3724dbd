// MarkdownColours: the model's Markdown in a terminal. Every sign of it stays, so that it can be
// copied; headings and bold text are bold, code is coloured.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace bodkin {

class MarkdownColours {
 public:
  // The next byte, with escape sequences before and after it where something begins or ends. A star
  // is returned with the byte after it.
  std::string add(char c);
  // In a block of code, whose lines are not broken.
  bool in_block() const { return in_block_; }

 private:
  std::string bold(bool on);
  std::string code(bool on);
  std::string add_to_line(char c);

  bool in_block_ = false, is_fence_ = false;  // is_fence_: this line
  bool is_bold_ = false, is_code_ = false, is_heading_ = false;
  size_t at_ = 0;     // bytes of this line before the next one, but for spaces at its beginning
  size_t ticks_ = 0;  // with which this line begins
  size_t stars_ = 0;  // that are not given yet
  char last_ = ' ';   // before them
};

// The words without any escape sequences of their own: an escape becomes "^[".
std::string without_escapes(std::string_view words);
// Writes the sequences of coloured text as they are; the rest is shown, and does nothing.
void put_coloured(std::FILE* to, std::string_view text);
// The number of visible characters in it.
size_t seen_characters(std::string_view coloured);

}  // namespace bodkin
