// More than 350 lines: each function of files.h is short, and all open files in one way.
#include "agent/platform/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "agent/platform/paths.h"
#include "agent/platform/windows/opening.h"

namespace bodkin::os {

namespace {

bool is_open_link(HANDLE handle, DWORD attributes) {
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return false;
  FILE_ATTRIBUTE_TAG_INFO tag{};
  return !::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) ||
         os::is_link(attributes, tag.ReparseTag);
}

timespec time_of(FILETIME time) {
  constexpr int64_t kFrom1601 = 116'444'736'000'000'000;
  const int64_t ticks =
      (int64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime) - kFrom1601;  // of 100 ns
  timespec result{};
  result.tv_sec = ticks / 10'000'000;
  result.tv_nsec = static_cast<long>(ticks % 10'000'000 * 100);
  return result;
}

}  // namespace

int fail_with_status(NTSTATUS status) { return fail_with(::RtlNtStatusToDosError(status)); }

std::shared_ptr<FileEntry> folder_at(int number) {
  auto entry = file_entry(number);
  if (entry && !entry->is_folder) {
    errno = ENOTDIR;
    return nullptr;
  }
  return entry;
}

bool is_from_here(int folder, const char* path) { return folder == AT_FDCWD || is_absolute(path); }

Handle open_native(int folder, const char* path, const Wanted& wanted) {
  std::shared_ptr<FileEntry> above;
  std::optional<std::wstring> name;
  std::wstring whole;
  if (is_from_here(folder, path)) {
    name = native_path(path);
    if (!name) return Handle();
    // "\\?\…" in the words of the kernel.
    whole = L"\\??\\" + name->substr(4);
    if (whole.size() == 6) whole += L'\\';  // "\??\C:" is the volume itself
  } else {
    above = folder_at(folder);
    if (!above) return Handle();
    if (!*path) {
      errno = ENOENT;
      return Handle();
    }
    name = native_inside(path);
    if (!name) return Handle();
    whole = *name;
  }
  if (whole.size() > 32'000) {
    errno = ENAMETOOLONG;
    return Handle();
  }
  UNICODE_STRING words{};
  words.Buffer = whole.data();
  words.Length = words.MaximumLength = static_cast<USHORT>(whole.size() * sizeof(wchar_t));
  OBJECT_ATTRIBUTES object{};
  object.Length = sizeof object;
  object.RootDirectory = above ? above->file.get() : nullptr;
  object.ObjectName = &words;
  object.Attributes = OBJ_CASE_INSENSITIVE;
  if (wanted.is_private) object.SecurityDescriptor = private_descriptor();
  HANDLE handle = nullptr;
  IO_STATUS_BLOCK io{};
  const NTSTATUS status =
      ::NtCreateFile(&handle, wanted.access | SYNCHRONIZE, &object, &io, nullptr, wanted.attributes,
                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, wanted.disposition,
                     wanted.options | kSynchronous | kForBackup, nullptr, 0);
  if (status < 0) {
    fail_with_status(status);
    return Handle();
  }
  return Handle(handle);
}

Handle open_itself(int folder, const char* path, ACCESS_MASK access) {
  return open_native(folder, path, {.access = access, .options = kReparsePoint});
}

int status_of(HANDLE handle, FileStatus* status) {
  BY_HANDLE_FILE_INFORMATION known{};
  if (!::GetFileInformationByHandle(handle, &known)) return fail_with(::GetLastError());
  *status = {};
  status->st_dev = known.dwVolumeSerialNumber;
  status->st_ino = uint64_t{known.nFileIndexHigh} << 32 | known.nFileIndexLow;
  status->st_nlink = known.nNumberOfLinks;
  status->st_size = static_cast<int64_t>(uint64_t{known.nFileSizeHigh} << 32 | known.nFileSizeLow);
  status->st_mtim = status->st_ctim = time_of(known.ftLastWriteTime);
  FILE_BASIC_INFO basic{};
  if (::GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) &&
      basic.ChangeTime.QuadPart != 0)
    status->st_ctim =
        time_of({basic.ChangeTime.LowPart, static_cast<DWORD>(basic.ChangeTime.HighPart)});
  const bool is_folder = (known.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  status->st_mode = is_open_link(handle, known.dwFileAttributes) ? S_IFLNK
                    : is_folder                                  ? S_IFDIR
                                                                 : S_IFREG;
  const Ownership owned = ownership_of(handle);
  status->st_uid = owned.is_ours ? geteuid() : 0;
  status->st_mode |= is_folder ? 0755 : 0644;
  if (owned.is_private) status->st_mode &= ~077u;
  if (!is_folder && (known.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0)
    status->st_mode &= ~0222u;
  return 0;
}

bool set_read_only(HANDLE handle, bool is_read_only) {
  FILE_BASIC_INFO basic{};
  if (!::GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic)) return false;
  if ((basic.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return true;
  const bool is_now = (basic.FileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
  if (is_now == is_read_only) return true;
  basic = {.FileAttributes = basic.FileAttributes ^ FILE_ATTRIBUTE_READONLY};
  if (basic.FileAttributes == 0) basic.FileAttributes = FILE_ATTRIBUTE_NORMAL;
  return ::SetFileInformationByHandle(handle, FileBasicInfo, &basic, sizeof basic) != 0;
}

namespace {

// Also what only lets itself be looked at.
int status_at(int folder, const char* path, FileStatus* status, ULONG options) {
  Handle handle = open_native(folder, path, {.options = options});
  if (!handle && errno == EACCES)
    handle = open_native(folder, path, {.access = FILE_READ_ATTRIBUTES, .options = options});
  return handle ? status_of(handle.get(), status) : -1;
}

int change_mode(Handle handle, unsigned mode) {
  if (!handle) return -1;
  if (!set_read_only(handle.get(), (mode & 0200) == 0)) return fail_with(::GetLastError());
  if ((mode & 077) != 0) return 0;
  const Ownership owned = ownership_of(handle.get());
  return owned.is_private || make_private(handle.get()) ? 0 : -1;
}

}  // namespace

int openat(int folder, const char* path, int flags, unsigned mode) {
  const int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
  const bool writes = way == O_WRONLY || way == O_RDWR;
  if (std::string_view(path) == "/dev/null") {
    Handle nothing(::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0,
                                 nullptr));
    if (!nothing) return fail_with(::GetLastError());
    return add_descriptor(std::make_shared<FileEntry>(std::move(nothing), false));
  }
  Wanted wanted;
  wanted.access = way == O_WRONLY ? ACCESS_MASK{FILE_GENERIC_WRITE} | kLook
                  : way == O_RDWR ? ACCESS_MASK{FILE_GENERIC_READ | FILE_GENERIC_WRITE}
                                  : ACCESS_MASK{FILE_GENERIC_READ};
  if ((flags & O_CREAT) != 0) {
    wanted.disposition = (flags & O_EXCL) != 0 ? kCreate : kOpenIf;
    wanted.is_private = (mode & 077) == 0;
    if ((mode & 0200) == 0) wanted.attributes = FILE_ATTRIBUTE_READONLY;
  }
  if ((flags & O_DIRECTORY) != 0) wanted.options |= kDirectory;
  // The file itself is examined before a link could be followed.
  wanted.options |= kReparsePoint;
  Handle handle = open_native(folder, path, wanted);
  if (!handle) return -1;
  BY_HANDLE_FILE_INFORMATION known{};
  if (!::GetFileInformationByHandle(handle.get(), &known)) return fail_with(::GetLastError());
  if ((known.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    if ((flags & O_NOFOLLOW) != 0 && is_open_link(handle.get(), known.dwFileAttributes))
      return fail_with_errno(ELOOP);
    wanted.options &= ~kReparsePoint;
    wanted.disposition = kOpen;
    handle = open_native(folder, path, wanted);
    if (!handle) return -1;
    if (!::GetFileInformationByHandle(handle.get(), &known)) return fail_with(::GetLastError());
  }
  const bool is_folder = (known.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  if (is_folder && writes) return fail_with_errno(EISDIR);
  if ((flags & O_TRUNC) != 0 && !::SetEndOfFile(handle.get())) return fail_with(::GetLastError());
  auto entry = std::make_shared<FileEntry>(std::move(handle), is_folder);
  entry->appends = (flags & O_APPEND) != 0;
  return add_descriptor(std::move(entry));
}

int open(const char* path, int flags, unsigned mode) { return openat(AT_FDCWD, path, flags, mode); }

int(fstat)(int number, FileStatus* status) {
  const auto found = descriptor(number);
  if (!found) return -1;
  if (const auto* file = dynamic_cast<FileEntry*>(found.get()))
    return status_of(file->file.get(), status);
  *status = {};
  status->st_mode = S_IFIFO | 0600;
  return 0;
}

int fstatat(int folder, const char* path, FileStatus* status, int flags) {
  return status_at(folder, path, status, (flags & AT_SYMLINK_NOFOLLOW) != 0 ? kReparsePoint : 0);
}

int lstat(const char* path, FileStatus* status) {
  return status_at(AT_FDCWD, path, status, kReparsePoint);
}

int(stat)(const char* path, FileStatus* status) { return status_at(AT_FDCWD, path, status, 0); }

int faccessat(int folder, const char* path, int how, int) {
  ACCESS_MASK access = FILE_READ_ATTRIBUTES;
  FileStatus status;
  if (status_at(folder, path, &status, 0) != 0) return -1;
  if (S_ISDIR(status.st_mode)) {
    if ((how & W_OK) != 0) access |= FILE_ADD_FILE;
  } else if ((how & W_OK) != 0) {
    if ((status.st_mode & 0200) == 0) return fail_with_errno(EACCES);  // Wine would open it
    access |= FILE_WRITE_DATA;
  }
  if ((how & R_OK) != 0) access |= FILE_READ_DATA;
  return open_native(folder, path, {.access = access}) ? 0 : -1;
}

int access(const char* path, int how) { return faccessat(AT_FDCWD, path, how, 0); }

int fchmod(int number, unsigned mode) {
  const auto entry = file_entry(number);
  if (!entry) return -1;
  const HANDLE again = ::ReOpenFile(entry->file.get(), kLook | FILE_WRITE_ATTRIBUTES | WRITE_DAC,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    FILE_FLAG_BACKUP_SEMANTICS);
  if (again == INVALID_HANDLE_VALUE) return fail_with(::GetLastError());
  return change_mode(Handle(again), mode);
}

int fchmodat(int folder, const char* path, unsigned mode, int) {
  return change_mode(
      open_native(folder, path, {.access = kLook | FILE_WRITE_ATTRIBUTES | WRITE_DAC}), mode);
}

int chmod(const char* path, unsigned mode) { return fchmodat(AT_FDCWD, path, mode, 0); }

int fsync(int number) {
  const auto entry = file_entry(number);
  if (!entry) return -1;
  // A folder cannot be: its changes are in the log of NTFS.
  if (entry->is_folder || ::FlushFileBuffers(entry->file.get())) return 0;
  return ::GetLastError() == ERROR_ACCESS_DENIED ? 0 : fail_with(::GetLastError());
}

int(ftruncate)(int number, int64_t size) {
  const auto entry = file_entry(number);
  if (!entry) return -1;
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = size;
  return ::SetFileInformationByHandle(entry->file.get(), FileEndOfFileInfo, &end, sizeof end)
             ? 0
             : fail_with(::GetLastError());
}

int64_t(lseek)(int number, int64_t offset, int from) {
  const auto entry = file_entry(number);
  if (!entry) return -1;
  LARGE_INTEGER distance{}, now{};
  distance.QuadPart = offset;
  return ::SetFilePointerEx(entry->file.get(), distance, &now, static_cast<DWORD>(from))
             ? now.QuadPart
             : fail_with(::GetLastError());
}

// Locks a far range of a file, so that nobody is kept from reading. A folder, which has no ranges,
// is locked by a named event that exists as long as the lock is held.
int flock(int number, int how) {
  const auto entry = file_entry(number);
  if (!entry) return -1;
  const bool waits = (how & LOCK_NB) == 0;
  if (!entry->is_folder) {
    OVERLAPPED range{};
    range.OffsetHigh = 0x4000'0000;
    ::UnlockFileEx(entry->file.get(), 0, 1, 0, &range);
    if ((how & LOCK_UN) != 0) return 0;
    const DWORD flags = ((how & LOCK_EX) != 0 ? LOCKFILE_EXCLUSIVE_LOCK : 0) |
                        (waits ? 0 : LOCKFILE_FAIL_IMMEDIATELY);
    if (::LockFileEx(entry->file.get(), flags, 0, 1, 0, &range)) return 0;
    const DWORD error = ::GetLastError();
    return error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? fail_with_errno(EWOULDBLOCK)
                                                                      : fail_with(error);
  }
  entry->lock = Handle();
  if ((how & LOCK_UN) != 0) return 0;
  FileStatus status;
  if (status_of(entry->file.get(), &status) != 0) return -1;
  const std::wstring name =
      L"Local\\bodkin-" + std::to_wstring(status.st_dev) + L"-" + std::to_wstring(status.st_ino);
  for (;;) {
    Handle event(::CreateEventW(nullptr, TRUE, FALSE, name.c_str()));
    const DWORD error = ::GetLastError();
    if (event && error != ERROR_ALREADY_EXISTS) {
      entry->lock = std::move(event);
      return 0;
    }
    if (!event && error != ERROR_ACCESS_DENIED) return fail_with(error);
    if (!waits) return fail_with_errno(EWOULDBLOCK);
    event = Handle();
    ::Sleep(5);
  }
}

int mkdirat(int folder, const char* path, unsigned mode) {
  const Wanted wanted{.access = kLook,
                      .disposition = kCreate,
                      .options = kDirectory,
                      .is_private = (mode & 077) == 0};
  return open_native(folder, path, wanted) ? 0 : -1;
}

int mkdir(const char* path, unsigned mode) { return mkdirat(AT_FDCWD, path, mode); }

std::optional<std::vector<std::string>> names_in(int folder) {
  const auto entry = folder_at(folder);
  if (!entry) return std::nullopt;
  std::vector<std::string> names;
  std::vector<uint64_t> buffer(8192);
  auto way = FileIdBothDirectoryRestartInfo;
  for (;; way = FileIdBothDirectoryInfo) {
    if (!::GetFileInformationByHandleEx(entry->file.get(), way, buffer.data(),
                                        static_cast<DWORD>(buffer.size() * 8))) {
      if (::GetLastError() == ERROR_NO_MORE_FILES) return names;
      fail_with(::GetLastError());
      return std::nullopt;
    }
    const auto* at = reinterpret_cast<const char*>(buffer.data());
    for (;;) {
      const auto* each = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(at);
      const std::wstring_view name(each->FileName, each->FileNameLength / sizeof(wchar_t));
      if (name != L"." && name != L"..") names.push_back(narrow(name));
      if (each->NextEntryOffset == 0) break;
      at += each->NextEntryOffset;
    }
  }
}

std::optional<std::string> path_of_existing(const std::string& path) {
  const Handle handle = open_native(AT_FDCWD, path.c_str(), {.access = FILE_READ_ATTRIBUTES});
  if (!handle) return std::nullopt;
  std::string real = path_of_handle(handle.get());
  if (real.empty()) {
    errno = EIO;
    return std::nullopt;
  }
  return real;
}

bool make_unique_folder(std::string& path) {
  static std::atomic<uint64_t> count = 0;
  constexpr char kDigits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (int tries = 0; tries < 100; ++tries) {
    LARGE_INTEGER now{};
    ::QueryPerformanceCounter(&now);
    uint64_t number = (static_cast<uint64_t>(now.QuadPart) ^ ::GetCurrentProcessId() * 2654435761u ^
                       ++count << 40) *
                      6364136223846793005u;
    for (size_t i = path.size() - 6; i < path.size(); ++i, number /= 36)
      path[i] = kDigits[number % 36];
    if (mkdir(path.c_str(), 0700) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

static int64_t nanoseconds_of(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int64_t written_at(const FileStatus& status) { return nanoseconds_of(status.st_mtim); }

int64_t changed_at(const FileStatus& status) { return nanoseconds_of(status.st_ctim); }

}  // namespace bodkin::os
