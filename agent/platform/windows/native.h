// Shared by the files of this folder: texts and paths as Windows has them, and its errors.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif
#include <windows.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bodkin::os {

// A handle that closes itself; null: none.
class Handle {
 public:
  explicit Handle(HANDLE handle = nullptr)
      : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_) ::CloseHandle(handle_);
  }
  HANDLE get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  HANDLE release() { return std::exchange(handle_, nullptr); }

 private:
  HANDLE handle_;
};

// Nullopt if it is not UTF-8.
std::optional<std::wstring> wide(std::string_view text);
std::string narrow(std::wstring_view text);  // what is not UTF-16 becomes U+FFFD

// Converts a path in the inner form, absolute or relative to the working folder: "\\?\C:\a\b".
// Nullopt: errno is EINVAL or ENOENT, since no file can have that name.
std::optional<std::wstring> native_path(std::string_view path);
// Converts a path relative to an open folder: "a\b"; "" for ".". Nullopt: as above, or it has "..".
std::optional<std::wstring> native_inside(std::string_view path);
// The inner form of "\\?\C:\a\b", "\\?\UNC\server\share\a" or "C:\a\b".
std::string inner_path(std::wstring_view native);

int errno_of(DWORD error);
int fail_with(DWORD error);  // sets errno; -1
int fail_with_errno(int error);

// The path of what is open, in the inner form; "": unknown.
std::string path_of_handle(HANDLE handle);

// Whether a file with these attributes is a link: a reparse point (of this tag) that represents
// another name. Others are files: those that a cloud has yet to fetch, sockets.
bool is_link(DWORD attributes, DWORD tag);

// --- signals

// Ends what report_ending_signals() has begun, where this process has more asks after the one that
// they could end: Ctrl-C does nothing then, until the next call.
void let_go_of_ending_signals();

// --- the user

// A security descriptor that lets in the user, the system and the administrators alone; it lives as
// long as the process. Null: it cannot be made.
SECURITY_DESCRIPTOR* private_descriptor();
// Restricts what is open (with WRITE_DAC) to them.
bool make_private(HANDLE handle);
struct Ownership {
  bool is_ours = false;     // the user's, or the administrators' if the user is one of them
  bool is_private = false;  // nobody but these may read or write it
};
Ownership ownership_of(HANDLE handle);  // with READ_CONTROL

}  // namespace bodkin::os
