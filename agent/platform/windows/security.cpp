// The user's identity, and who may open a file.
#include <cerrno>
#include <vector>

#include "agent/platform/files.h"
#include "agent/platform/processes.h"
#include "agent/platform/windows/native.h"
//
#include <sddl.h>

namespace bodkin::os {

namespace {

struct User {
  std::vector<unsigned char> user, owner;  // SIDs: of the user, and of what the process makes
  std::wstring words;                      // "S-1-5-…"
};

std::vector<unsigned char> token_part(HANDLE token, TOKEN_INFORMATION_CLASS what) {
  DWORD size = 0;
  ::GetTokenInformation(token, what, nullptr, 0, &size);
  std::vector<unsigned char> bytes(size);
  if (!::GetTokenInformation(token, what, bytes.data(), size, &size)) bytes.clear();
  return bytes;
}

std::vector<unsigned char> copy_of(PSID sid) {
  if (!sid || !::IsValidSid(sid)) return {};
  const auto* bytes = static_cast<const unsigned char*>(sid);
  return {bytes, bytes + ::GetLengthSid(sid)};
}

const User& user() {
  static const User known = [] {
    User found;
    HANDLE opened = nullptr;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened)) return found;
    const Handle token(opened);
    if (auto bytes = token_part(opened, TokenUser); !bytes.empty())
      found.user = copy_of(reinterpret_cast<TOKEN_USER*>(bytes.data())->User.Sid);
    if (auto bytes = token_part(opened, TokenOwner); !bytes.empty())
      found.owner = copy_of(reinterpret_cast<TOKEN_OWNER*>(bytes.data())->Owner);
    wchar_t* words = nullptr;
    if (!found.user.empty() && ::ConvertSidToStringSidW(found.user.data(), &words)) {
      found.words = words;
      ::LocalFree(words);
    }
    return found;
  }();
  return known;
}

bool is_one_of_ours(PSID sid) {
  const User& us = user();
  const auto is = [&](const std::vector<unsigned char>& other) {
    return !other.empty() && ::EqualSid(sid, const_cast<unsigned char*>(other.data()));
  };
  return is(us.user) || is(us.owner) || ::IsWellKnownSid(sid, WinLocalSystemSid) ||
         ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) ||
         ::IsWellKnownSid(sid, WinCreatorOwnerSid) ||
         ::IsWellKnownSid(sid, WinCreatorOwnerRightsSid);
}

}  // namespace

unsigned geteuid() {
  unsigned hash = 2166136261u;  // FNV-1a
  for (const unsigned char byte : user().user) hash = (hash ^ byte) * 16777619u;
  return hash % 1'000'000'000 + 1;  // never 0
}

bool is_administrator() {
  HANDLE opened = nullptr;
  if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened)) return false;
  const Handle token(opened);
  TOKEN_ELEVATION elevation{};
  DWORD size = 0;
  return ::GetTokenInformation(opened, TokenElevation, &elevation, sizeof elevation, &size) &&
         elevation.TokenIsElevated != 0;
}

SECURITY_DESCRIPTOR* private_descriptor() {
  static SECURITY_DESCRIPTOR* const made = []() -> SECURITY_DESCRIPTOR* {
    if (user().words.empty()) return nullptr;
    // Protected from entries that the folder above would add; inherited by files made inside.
    const std::wstring words =
        L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;" + user().words + L")";
    PSECURITY_DESCRIPTOR descriptor = nullptr;
    if (!::ConvertStringSecurityDescriptorToSecurityDescriptorW(words.c_str(), SDDL_REVISION_1,
                                                                &descriptor, nullptr))
      return nullptr;
    return static_cast<SECURITY_DESCRIPTOR*>(descriptor);
  }();
  return made;
}

// Not by SetSecurityInfo(), which adds what the folder above would let others do.
bool make_private(HANDLE handle) {
  SECURITY_DESCRIPTOR* const descriptor = private_descriptor();
  if (!descriptor) return fail_with_errno(EACCES), false;
  return ::SetKernelObjectSecurity(
             handle, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, descriptor) ||
         (fail_with(::GetLastError()), false);
}

Ownership ownership_of(HANDLE handle) {
  alignas(SECURITY_DESCRIPTOR) unsigned char here[2048];
  std::vector<unsigned char> more;
  PSECURITY_DESCRIPTOR descriptor = here;
  DWORD size = 0;
  constexpr SECURITY_INFORMATION kWanted = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
  if (!::GetKernelObjectSecurity(handle, kWanted, descriptor, sizeof here, &size)) {
    if (::GetLastError() != ERROR_INSUFFICIENT_BUFFER) return {};
    more.resize(size);
    descriptor = more.data();
    if (!::GetKernelObjectSecurity(handle, kWanted, descriptor, size, &size)) return {};
  }
  Ownership result;
  BOOL is_default = FALSE, has = FALSE;
  PSID owner = nullptr;
  if (::GetSecurityDescriptorOwner(descriptor, &owner, &is_default) && owner)
    result.is_ours = is_one_of_ours(owner);
  PACL list = nullptr;
  if (!::GetSecurityDescriptorDacl(descriptor, &has, &list, &is_default) || !has || !list)
    return result;  // no list: everybody may
  result.is_private = true;
  for (DWORD i = 0; i < list->AceCount && result.is_private; ++i) {
    void* entry = nullptr;
    if (!::GetAce(list, i, &entry)) return {};
    const auto* header = static_cast<const ACE_HEADER*>(entry);
    if (header->AceType == ACCESS_DENIED_ACE_TYPE || (header->AceFlags & INHERIT_ONLY_ACE) != 0)
      continue;
    if (header->AceType != ACCESS_ALLOWED_ACE_TYPE) {
      result.is_private = false;
      break;
    }
    auto* allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
    constexpr DWORD kHarmless = FILE_READ_ATTRIBUTES | FILE_READ_EA | READ_CONTROL | SYNCHRONIZE;
    if ((allowed->Mask & ~kHarmless) != 0 && !is_one_of_ours(&allowed->SidStart))
      result.is_private = false;
  }
  return result;
}

}  // namespace bodkin::os
