#include "edits/text/shortened.h"

namespace bodkin {

std::string shortened_to(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

std::string titled_to(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  const size_t blank = text.rfind(' ', most);  // the one at `most` ends a word, too
  const size_t end = text.find_last_not_of(' ', blank);
  const bool is_word = blank != text.npos && end != text.npos && end + 1 >= most / 2;
  return shortened_to(text, is_word ? end + 1 : most);
}

}  // namespace bodkin
