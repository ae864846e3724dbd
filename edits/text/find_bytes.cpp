#include "edits/text/find_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace bodkin {
namespace {

constexpr size_t kLanes = 16, kRows = 4, kBlock = kLanes * kRows;
using Lanes = unsigned char __attribute__((vector_size(kLanes)));

// Where a byte is in the sixteen at `bytes`: 0xFF, else 0.
Lanes places_of(char byte, const char* bytes) {
  Lanes lanes;
  std::memcpy(&lanes, bytes, kLanes);
  return reinterpret_cast<Lanes>(lanes == static_cast<unsigned char>(byte));
}

bool is_none(const Lanes& lanes) {
  uint64_t halves[2];
  std::memcpy(halves, &lanes, kLanes);
  return (halves[0] | halves[1]) == 0;
}

// In linear time, however often a part of it occurs.
size_t find_bytewise(std::string_view bytes, std::string_view wanted, size_t from) {
  if (from >= bytes.size()) return bytes.npos;
  const void* found =
      memmem(bytes.data() + from, bytes.size() - from, wanted.data(), wanted.size());
  return found ? static_cast<size_t>(static_cast<const char*>(found) - bytes.data()) : bytes.npos;
}

}  // namespace

size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from) {
  constexpr size_t kShort = 1024;  // of so few bytes, more would be prepared than looked at
  if (wanted.size() < 2 || bytes.size() < from + wanted.size() + kShort)
    return find_bytewise(bytes, wanted, from);
  const size_t ends = bytes.size() - wanted.size() + 1;  // no place begins there or after
  size_t one = 0, other = wanted.size() - 1;             // the bytes that are looked at
  size_t compared = 0;                                   // in vain
  size_t at = from;
  for (; at + kBlock <= ends; at += kBlock) {
    const char* const begin = bytes.data() + at;
    Lanes hits[kRows];
    for (size_t row = 0; row < kRows; ++row)
      hits[row] = places_of(wanted[one], begin + one + row * kLanes) &
                  places_of(wanted[other], begin + other + row * kLanes);
    if (is_none(hits[0] | hits[1] | hits[2] | hits[3])) continue;
    size_t differs = other;
    for (size_t i = 0; i < kBlock; ++i) {
      if (i % kLanes == 0 && is_none(hits[i / kLanes])) {
        i += kLanes - 1;
        continue;
      }
      if (!hits[i / kLanes][i % kLanes]) continue;
      const std::string_view here = bytes.substr(at + i, wanted.size());
      differs = static_cast<size_t>(std::ranges::mismatch(here, wanted).in1 - here.begin());
      if (differs == wanted.size()) return at + i;
      compared += differs;
      if (compared > at - from + kShort) return find_bytewise(bytes, wanted, at + i + 1);
    }
    one = other;
    other = differs;
  }
  return find_bytewise(bytes, wanted, at);
}

}  // namespace bodkin
