#include "agent/support/utf8.h"

namespace bodkin {
namespace {

// The length of the character at the start of `bytes`; 0: not a character; -1: more bytes are
// needed. The table is that of Unicode's "Well-Formed UTF-8 Byte Sequences".
int character_length(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  int length = 0;
  unsigned char low = 0x80, high = 0xBF;  // of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (int i = 1; i < length; ++i) {
    if (static_cast<size_t>(i) >= bytes.size()) return -1;
    const unsigned char byte = at(i);
    if (byte < low || byte > high) return 0;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

}  // namespace

std::string Utf8Cutter::take(std::string_view bytes) {
  std::string joined;
  if (!held_.empty()) {
    joined = std::move(held_);
    held_.clear();
    joined += bytes;
    bytes = joined;
  }
  std::string out;
  out.reserve(bytes.size());
  size_t i = 0;
  while (i < bytes.size()) {
    const int length = character_length(bytes.substr(i));
    if (length < 0) {
      held_ = bytes.substr(i);
      break;
    }
    if (length == 0) {
      out += kReplacement;
      ++i;
    } else {
      out += bytes.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string Utf8Cutter::finish() {
  const bool cut = !held_.empty();
  held_.clear();
  return cut ? std::string(kReplacement) : std::string();
}

std::string valid_utf8(std::string_view bytes) {
  Utf8Cutter cutter;
  std::string out = cutter.take(bytes);
  return out + cutter.finish();
}

}  // namespace bodkin
