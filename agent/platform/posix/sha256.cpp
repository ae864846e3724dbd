#include "agent/platform/sha256.h"

#include <openssl/sha.h>

namespace bodkin::os {

std::string sha256(std::string_view text) {
  std::string hash(SHA256_DIGEST_LENGTH, '\0');
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

}  // namespace bodkin::os
