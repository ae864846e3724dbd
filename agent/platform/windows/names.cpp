// The names of files: further ones, other ones, none; and what a link names.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include "agent/platform/paths.h"
#include "agent/platform/windows/opening.h"

// Missing from winternl.h.
extern "C" NTSTATUS NTAPI NtSetInformationFile(HANDLE, PIO_STATUS_BLOCK, PVOID, ULONG,
                                               FILE_INFORMATION_CLASS);

namespace bodkin::os {

namespace {

// From the driver kit's headers.
constexpr auto kRename = static_cast<FILE_INFORMATION_CLASS>(10);
constexpr auto kLink = static_cast<FILE_INFORMATION_CLASS>(11);
constexpr auto kDispositionEx = static_cast<FILE_INFORMATION_CLASS>(64);
constexpr auto kRenameEx = static_cast<FILE_INFORMATION_CLASS>(65);
constexpr ULONG kReplaces = 1, kPosix = 2, kIgnoresReadOnly = 0x40;
constexpr ULONG kDeletes = 1, kDeletesAsPosix = 2, kDeletesReadOnly = 0x10;

struct NewName {  // FILE_RENAME_INFORMATION and FILE_LINK_INFORMATION
  ULONG flags = 0;
  HANDLE folder = nullptr;
  ULONG bytes = 0;
  wchar_t name[1];
};

// Gives an open file an additional name, or a different one.
int name_anew(HANDLE handle, int folder, const char* path, bool moves) {
  std::shared_ptr<FileEntry> above;
  std::optional<std::wstring> name;
  if (is_from_here(folder, path)) {
    name = native_path(path);
    if (name) name->replace(0, 4, L"\\??\\");
  } else {
    above = folder_at(folder);
    if (!above) return -1;
    name = native_inside(path);
  }
  if (!name) return -1;
  std::vector<uint64_t> bytes((sizeof(NewName) + name->size() * sizeof(wchar_t)) / 8 + 1);
  auto* const wanted = reinterpret_cast<NewName*>(bytes.data());
  wanted->folder = above ? above->file.get() : nullptr;
  wanted->bytes = static_cast<ULONG>(name->size() * sizeof(wchar_t));
  std::memcpy(wanted->name, name->data(), wanted->bytes);
  // Shorter than the structure, which a name of one letter would be, is refused.
  const auto size =
      static_cast<ULONG>(std::max(sizeof(NewName), offsetof(NewName, name) + wanted->bytes));
  IO_STATUS_BLOCK io{};
  if (!moves) {
    const NTSTATUS status = ::NtSetInformationFile(handle, &io, wanted, size, kLink);
    return status < 0 ? fail_with_status(status) : 0;
  }
  wanted->flags = kReplaces | kPosix | kIgnoresReadOnly;
  NTSTATUS status = ::NtSetInformationFile(handle, &io, wanted, size, kRenameEx);
  const DWORD error = status < 0 ? ::RtlNtStatusToDosError(status) : 0;
  // Before Windows 10 1809, and on other file systems than NTFS.
  if (error == ERROR_INVALID_PARAMETER || error == ERROR_NOT_SUPPORTED ||
      error == ERROR_INVALID_FUNCTION || error == ERROR_CALL_NOT_IMPLEMENTED) {
    wanted->flags = 1;
    status = ::NtSetInformationFile(handle, &io, wanted, size, kRename);
  }
  return status < 0 ? fail_with_status(status) : 0;
}

int remove_open(HANDLE handle) {
  ULONG flags = kDeletes | kDeletesAsPosix | kDeletesReadOnly;
  IO_STATUS_BLOCK io{};
  const NTSTATUS status = ::NtSetInformationFile(handle, &io, &flags, sizeof flags, kDispositionEx);
  if (status >= 0) return 0;
  const DWORD error = ::RtlNtStatusToDosError(status);
  if (error == ERROR_DIR_NOT_EMPTY) return fail_with(error);
  set_read_only(handle, false);
  FILE_DISPOSITION_INFO disposition{TRUE};
  return ::SetFileInformationByHandle(handle, FileDispositionInfo, &disposition, sizeof disposition)
             ? 0
             : fail_with(::GetLastError());
}

}  // namespace

int linkat(int from_folder, const char* from, int to_folder, const char* to, int) {
  const Handle handle = open_itself(from_folder, from, FILE_WRITE_ATTRIBUTES);
  return handle ? name_anew(handle.get(), to_folder, to, false) : -1;
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  // Programs that inspect files (a virus scanner, an indexer) hold one open for a moment: EBUSY for
  // the old name, EACCES if they hold the file that has the new one.
  constexpr int kTries = 6;
  for (int tries = 1;; ++tries) {
    const Handle handle = open_itself(from_folder, from, DELETE | FILE_READ_ATTRIBUTES);
    if (handle && name_anew(handle.get(), to_folder, to, true) == 0) return 0;
    if ((errno != EBUSY && errno != EACCES) || tries == kTries) return -1;
    ::Sleep(10u << tries);
  }
}

int rename(const char* from, const char* to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int folder, const char* path, int flags) {
  const Handle handle =
      open_itself(folder, path, DELETE | FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES);
  if (!handle) return -1;
  FileStatus status;
  if (status_of(handle.get(), &status) != 0) return -1;
  const bool removes_folder = (flags & AT_REMOVEDIR) != 0;
  if (removes_folder && !S_ISDIR(status.st_mode)) return fail_with_errno(ENOTDIR);
  if (!removes_folder && S_ISDIR(status.st_mode)) return fail_with_errno(EISDIR);
  return remove_open(handle.get());
}

int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char* path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int symlinkat(const char* target, int folder, const char* path) {
  // Windows makes links by path alone, and only for some users.
  std::string whole = path;
  if (!is_from_here(folder, path)) {
    const auto above = folder_at(folder);
    if (!above) return -1;
    whole = path_of_handle(above->file.get()) + "/" + path;
  }
  const auto name = native_path(whole);
  auto leads_to = wide(target);
  if (!name || !leads_to) return -1;
  for (wchar_t& c : *leads_to)
    if (c == L'/') c = L'\\';
  constexpr DWORD kUnprivileged = 2;
  return ::CreateSymbolicLinkW(name->c_str(), leads_to->c_str(), kUnprivileged)
             ? 0
             : fail_with(::GetLastError());
}

ssize_t readlinkat(int folder, const char* path, char* into, size_t size) {
  const Handle handle = open_itself(folder, path, FILE_READ_ATTRIBUTES);
  if (!handle) return -1;
  struct Reparse {  // REPARSE_DATA_BUFFER
    ULONG tag;
    USHORT length, reserved;
    USHORT real_offset, real_length, shown_offset, shown_length;
  };
  alignas(8) char bytes[16 * 1024];
  DWORD count = 0;
  if (!::DeviceIoControl(handle.get(), 0x900A8 /* FSCTL_GET_REPARSE_POINT */, nullptr, 0, bytes,
                         sizeof bytes, &count, nullptr))
    return ::GetLastError() == ERROR_NOT_A_REPARSE_POINT ? fail_with_errno(EINVAL)
                                                         : fail_with(::GetLastError());
  const auto* point = reinterpret_cast<const Reparse*>(bytes);
  const bool is_symbolic = point->tag == IO_REPARSE_TAG_SYMLINK;
  if (!is_symbolic && point->tag != IO_REPARSE_TAG_MOUNT_POINT) return fail_with_errno(EINVAL);
  const size_t names = sizeof(Reparse) + (is_symbolic ? sizeof(ULONG) : 0);
  if (names + point->real_offset + point->real_length > count) return fail_with_errno(EIO);
  std::wstring target(point->real_length / sizeof(wchar_t), L'\0');
  std::memcpy(target.data(), bytes + names + point->real_offset, point->real_length);
  if (target.starts_with(L"\\??\\")) target.replace(0, 4, L"\\\\?\\");
  const std::string text = inner_path(target);
  const size_t used = std::min(size, text.size());
  std::memcpy(into, text.data(), used);
  return static_cast<ssize_t>(used);
}

}  // namespace bodkin::os
