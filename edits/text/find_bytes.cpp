#include "edits/text/find_bytes.h"

#include <algorithm>
#include <vector>

namespace bodkin {
namespace {

// Knuth, Morris and Pratt's search: linear time for all texts.
size_t find_steadily(std::string_view bytes, std::string_view wanted, size_t from) {
  std::vector<size_t> borders(wanted.size());  // of wanted[0…i]: how much of its start is its end
  for (size_t i = 1, border = 0; i < wanted.size(); ++i) {
    while (border > 0 && wanted[i] != wanted[border]) border = borders[border - 1];
    borders[i] = border += wanted[i] == wanted[border];
  }
  for (size_t at = from, matched = 0; at < bytes.size(); ++at) {
    while (matched > 0 && bytes[at] != wanted[matched]) matched = borders[matched - 1];
    matched += bytes[at] == wanted[matched];
    if (matched == wanted.size()) return at + 1 - matched;
  }
  return bytes.npos;
}

}  // namespace

// Compares two bytes of `wanted` at a block of places at once: a loop without a branch, which
// compilers vectorize. If both match and the text does not, the byte that differs is compared next,
// unless it is one of the first blanks, of which indented code is full.
// Failed comparisons are counted: if they become too many, the steady search takes over.
size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from) {
  constexpr size_t kBlock = 64, kFew = 1024;
  if (bytes.size() < from + wanted.size()) return bytes.npos;
  const size_t ends = bytes.size() - wanted.size() + 1;  // no place begins there or behind
  const size_t solid = std::min(wanted.find_first_not_of(" \t"), wanted.size() - 1);
  size_t one = solid, other = wanted.size() - 1, in_vain = 0;
  for (size_t at = from; at < ends; at += kBlock) {
    const char *const first = &bytes[at + one], *const second = &bytes[at + other];
    const char a = wanted[one], b = wanted[other];
    const size_t count = std::min(kBlock, ends - at);
    unsigned char any = count < kBlock;
    if (count == kBlock)
      for (size_t i = 0; i < kBlock; ++i)
        any |=
            static_cast<unsigned char>(first[i] == a) & static_cast<unsigned char>(second[i] == b);
    if (!any) continue;
    for (size_t i = 0; i < count; ++i) {
      if (first[i] != a || second[i] != b) continue;
      const std::string_view here = bytes.substr(at + i, wanted.size());
      const auto differs =
          static_cast<size_t>(std::ranges::mismatch(here, wanted).in1 - here.begin());
      if (differs == wanted.size()) return at + i;
      if (differs >= solid) one = other, other = differs;
      in_vain += differs;
      if (in_vain > at - from + kFew) return find_steadily(bytes, wanted, at + i + 1);
    }
  }
  return bytes.npos;
}

}  // namespace bodkin
