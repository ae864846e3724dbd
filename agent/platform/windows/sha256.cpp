#include "agent/platform/sha256.h"

#include <new>

#include "agent/platform/windows/native.h"
//
#include <bcrypt.h>

namespace bodkin::os {

namespace {

const auto kSha256 = reinterpret_cast<BCRYPT_ALG_HANDLE>(0x41);  // a pseudo handle of Windows 10

}  // namespace

std::string sha256(std::string_view text) {
  std::string hash(32, '\0');
  auto* const bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  // It fails for want of memory alone.
  if (::BCryptHash(kSha256, nullptr, 0, bytes, static_cast<ULONG>(text.size()),
                   reinterpret_cast<unsigned char*>(hash.data()),
                   static_cast<ULONG>(hash.size())) < 0)
    throw std::bad_alloc();
  return hash;
}

}  // namespace bodkin::os
