#include "edits/text/find_bytes.h"

#include <cstring>

namespace bodkin {

size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from) {
  if (from >= bytes.size()) return bytes.npos;
  const void* found =
      memmem(bytes.data() + from, bytes.size() - from, wanted.data(), wanted.size());
  return found ? static_cast<size_t>(static_cast<const char*>(found) - bytes.data()) : bytes.npos;
}

}  // namespace bodkin
