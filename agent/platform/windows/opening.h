// The one way in which files are opened, for files.cpp and names.cpp.
#pragma once

#include "agent/platform/files.h"
#include "agent/platform/windows/descriptors.h"
#include "agent/platform/windows/native.h"
//
#include <winternl.h>

namespace bodkin::os {

// From the driver kit's headers.
inline constexpr ULONG kOpen = 1, kCreate = 2, kOpenIf = 3;
inline constexpr ULONG kDirectory = 0x1, kSynchronous = 0x20, kForBackup = 0x4000,
                       kReparsePoint = 0x20'0000;
inline constexpr ACCESS_MASK kLook = FILE_READ_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE;

struct Wanted {
  ACCESS_MASK access = kLook;
  ULONG disposition = kOpen;
  ULONG options = 0;
  ULONG attributes = FILE_ATTRIBUTE_NORMAL;
  bool is_private = false;
};

int fail_with_status(NTSTATUS status);
// The open folder; null with errno.
std::shared_ptr<FileEntry> folder_at(int number);
bool is_from_here(int folder, const char* path);
// Opens `path`, relative to the open folder unless it is absolute. Empty: errno says why.
Handle open_native(int folder, const char* path, const Wanted& wanted);
// Opens what is at the name itself, even if that is a link.
Handle open_itself(int folder, const char* path, ACCESS_MASK access);
int status_of(HANDLE handle, FileStatus* status);
bool set_read_only(HANDLE handle, bool is_read_only);

}  // namespace bodkin::os
