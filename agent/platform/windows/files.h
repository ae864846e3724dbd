// POSIX's files, as much of them as bodkin uses; see agent/platform/files.h.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <ctime>

// Constants that the C library of mingw-w64 lacks. The numbers are ours.
inline constexpr int O_CLOEXEC = 0;  // nothing is inherited unless a process is given it
inline constexpr int O_NOCTTY = 0;
inline constexpr int O_NOFOLLOW = 0x0100'0000;
inline constexpr int O_DIRECTORY = 0x0200'0000;
inline constexpr int O_NONBLOCK = 0x0400'0000;
inline constexpr int O_PATH = 0x0800'0000;
inline constexpr int AT_FDCWD = -100;
inline constexpr int AT_SYMLINK_NOFOLLOW = 1;
inline constexpr int AT_REMOVEDIR = 2;
inline constexpr int AT_EACCESS = 4;
inline constexpr int LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8;
inline constexpr unsigned S_IFLNK = 0xA000, S_IFSOCK = 0xC000;
inline constexpr bool S_ISLNK(unsigned mode) { return (mode & S_IFMT) == S_IFLNK; }
inline constexpr bool S_ISSOCK(unsigned mode) { return (mode & S_IFMT) == S_IFSOCK; }

namespace bodkin::os {

struct FileStatus {
  uint64_t st_dev = 0, st_ino = 0;  // of the volume, and of the file on it
  unsigned st_mode = 0;
  uint64_t st_nlink = 0;
  unsigned st_uid = 0, st_gid = 0;
  int64_t st_size = 0;
  timespec st_mtim{}, st_ctim{};
};

int access(const char* path, int how);
int chmod(const char* path, unsigned mode);
int close(int number);
int faccessat(int folder, const char* path, int how, int flags);
int fchmod(int number, unsigned mode);
int fchmodat(int folder, const char* path, unsigned mode, int flags);
int flock(int number, int how);
int(fstat)(int number, FileStatus* status);
int fstatat(int folder, const char* path, FileStatus* status, int flags);
int fsync(int number);
int(ftruncate)(int number, int64_t size);
unsigned geteuid();  // 0: the process is elevated; else a number made of the user's SID
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags);
int64_t(lseek)(int number, int64_t offset, int from);
int lstat(const char* path, FileStatus* status);
int mkdir(const char* path, unsigned mode);
int mkdirat(int folder, const char* path, unsigned mode);
int open(const char* path, int flags, unsigned mode = 0);
int openat(int folder, const char* path, int flags, unsigned mode = 0);
ssize_t read(int number, void* into, size_t size);
ssize_t readlinkat(int folder, const char* path, char* into, size_t size);
int rename(const char* from, const char* to);
int renameat(int from_folder, const char* from, int to_folder, const char* to);
int rmdir(const char* path);
int(stat)(const char* path, FileStatus* status);
const char* strerror(int error);
int symlinkat(const char* target, int folder, const char* path);
int unlink(const char* path);
int unlinkat(int folder, const char* path, int flags);
ssize_t write(int number, const void* from, size_t size);

}  // namespace bodkin::os
