#include "edits/text/find_bytes.h"

#include <cstring>
#include <vector>

namespace bodkin {

// Windows' C library has no memmem. This is Knuth, Morris and Pratt's search, with memchr() for the
// first byte.
size_t find_bytes(std::string_view bytes, std::string_view wanted, size_t from) {
  std::vector<size_t> borders;  // of wanted[0…i]: how much of its start is also its end
  size_t matched = 0;
  for (size_t at = from; at < bytes.size(); ++at) {
    if (matched == 0) {
      const void* first = std::memchr(bytes.data() + at, wanted[0], bytes.size() - at);
      if (!first) return bytes.npos;
      at = static_cast<size_t>(static_cast<const char*>(first) - bytes.data());
      matched = 1;
    } else {
      while (matched > 0 && bytes[at] != wanted[matched]) {
        for (size_t i = borders.size(); i < matched; ++i) {
          size_t border = i ? borders[i - 1] : 0;
          while (border > 0 && wanted[i] != wanted[border]) border = borders[border - 1];
          borders.push_back(i > 0 && wanted[i] == wanted[border] ? border + 1 : 0);
        }
        matched = borders[matched - 1];
      }
      matched += bytes[at] == wanted[matched];
    }
    if (matched == wanted.size()) return at + 1 - matched;
  }
  return bytes.npos;
}

}  // namespace bodkin
