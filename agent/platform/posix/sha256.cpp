#include "agent/platform/sha256.h"

#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>
#else
#include <openssl/sha.h>
#endif

namespace bodkin::os {

std::string sha256(std::string_view text) {
  std::string hash(32, '\0');
  auto* const into = reinterpret_cast<unsigned char*>(hash.data());
#ifdef __APPLE__
  // Its sizes have 32 bits.
  constexpr size_t kMost = size_t{1} << 30;
  CC_SHA256_CTX context;
  ::CC_SHA256_Init(&context);
  for (size_t at = 0; at < text.size(); at += kMost) {
    const std::string_view part = text.substr(at, kMost);
    ::CC_SHA256_Update(&context, part.data(), static_cast<CC_LONG>(part.size()));
  }
  ::CC_SHA256_Final(into, &context);
#else
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), into);
#endif
  return hash;
}

}  // namespace bodkin::os
