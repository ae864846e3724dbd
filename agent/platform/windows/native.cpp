#include "agent/platform/windows/native.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"

namespace bodkin::os {

std::optional<std::wstring> wide(std::string_view text) {
  if (text.empty()) return L"";
  const int size = static_cast<int>(text.size());
  const int count =
      ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  if (count <= 0) return std::nullopt;
  std::wstring result(static_cast<size_t>(count), L'\0');
  ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, result.data(), count);
  return result;
}

std::string narrow(std::wstring_view text) {
  if (text.empty()) return "";
  const int size = static_cast<int>(text.size());
  const int count =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<size_t>(count), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), count, nullptr, nullptr);
  return result;
}

std::optional<std::wstring> native_inside(std::string_view path) {
  errno = ENOENT;
  if (!refused_as(path).empty()) {
    errno = EINVAL;
    return std::nullopt;
  }
  std::string plain;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part == "..") return std::nullopt;
    if (part.empty() || part == ".") continue;
    if (!plain.empty()) plain += '\\';
    plain += part;
  }
  return wide(plain);
}

std::optional<std::wstring> native_path(std::string_view given) {
  errno = ENOENT;
  if (given.empty() || given.find('\0') != given.npos) return std::nullopt;
  std::string path = inner_form(given);
  if (!means_one_place(path)) {
    // Not GetFullPathNameW on the whole: it would make devices of names.
    std::wstring folder(::GetCurrentDirectoryW(0, nullptr), L'\0');
    folder.resize(::GetCurrentDirectoryW(static_cast<DWORD>(folder.size()), folder.data()));
    const std::string here = inner_path(folder);
    if (path.starts_with('/')) {
      path = std::string(root_of(here)) + path.substr(1);  // "/a": on the current drive
    } else {
      path = here + (here.ends_with('/') ? "" : "/") + path;
    }
  }
  if (!refused_as(path).empty()) {
    errno = EINVAL;
    return std::nullopt;
  }
  const std::string_view root = root_of(path);
  std::vector<std::string_view> parts;
  for (size_t begin = root.size(); begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    begin = end + 1;
    if (part == ".." && !parts.empty()) parts.pop_back();
    if (!part.empty() && part != "." && part != "..") parts.push_back(part);
  }
  std::string native = root.starts_with("//") ? R"(\\?\UNC\)" + std::string(root.substr(2))
                                              : R"(\\?\)" + std::string(root);
  for (const std::string_view part : parts) {
    if (!native.ends_with('\\') && !native.ends_with('/')) native += '\\';
    native += part;
  }
  for (char& c : native)
    if (c == '/') c = '\\';
  return wide(native);
}

std::string inner_path(std::wstring_view native) { return inner_form(narrow(native)); }

int errno_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_NO_MORE_FILES:
    case ERROR_DELETE_PENDING:
      return ENOENT;
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_PARAMETER:
      return EINVAL;
    case ERROR_ACCESS_DENIED:
    case ERROR_CANNOT_MAKE:
    case ERROR_PRIVILEGE_NOT_HELD:
      return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_BUSY:
      return EBUSY;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DIR_NOT_EMPTY:
      return ENOTEMPTY;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_NO_SYSTEM_RESOURCES:
      return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_WRITE_PROTECT:
      return EROFS;
    case ERROR_NOT_SAME_DEVICE:
      return EXDEV;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED:
      return EPIPE;
    case ERROR_CANT_RESOLVE_FILENAME:
    case 681:  // ERROR_STOPPED_ON_SYMLINK
      return ELOOP;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_TOO_MANY_LINKS:
      return EMLINK;
    case ERROR_BAD_EXE_FORMAT:
    case ERROR_EXE_MACHINE_TYPE_MISMATCH:
      return ENOEXEC;
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED:
    case ERROR_INVALID_FUNCTION:
      return ENOSYS;
    default:
      return EIO;
  }
}

int fail_with(DWORD error) { return fail_with_errno(errno_of(error)); }

int fail_with_errno(int error) {
  errno = error;
  return -1;
}

// The C library has no words for half of them.
const char* strerror(int error) {
  switch (error) {
    case EBUSY:
      return "Another program has it open";
    case EACCES:
      return "Permission denied";
    case ELOOP:
      return "It is a link";
    case EAGAIN:
    case EWOULDBLOCK:
      return "Another program holds it";
    case EIO:
      return "Input/output error";
    case EROFS:
      return "The disk is write-protected";
    case EEXIST:
      return "File exists";
    default:
      return std::strerror(error);
  }
}

std::string path_of_handle(HANDLE handle) {
  std::wstring path(512, L'\0');
  for (;;) {
    const DWORD size =
        ::GetFinalPathNameByHandleW(handle, path.data(), static_cast<DWORD>(path.size()),
                                    FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
    if (size == 0) return "";
    if (size < path.size()) return inner_path(std::wstring_view(path).substr(0, size));
    path.resize(size + 1);
  }
}

bool is_link(DWORD attributes, DWORD tag) {
  constexpr DWORD kStandsForAName = 0x2000'0000;  // IsReparseTagNameSurrogate
  constexpr DWORD kUnixLink = 0xA000'001D;        // of WSL
  return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         ((tag & kStandsForAName) != 0 || tag == kUnixLink);
}

}  // namespace bodkin::os
