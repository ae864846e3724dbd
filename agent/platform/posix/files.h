#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace bodkin::os {

using FileStatus = struct ::stat;

using ::access;
using ::chmod;
using ::close;
using ::faccessat;
using ::fchmod;
using ::fchmodat;
using ::flock;
using ::fstat;
using ::fstatat;
using ::ftruncate;
using ::geteuid;
using ::linkat;
using ::lseek;
using ::lstat;
using ::mkdir;
using ::mkdirat;
using ::open;
using ::openat;
using ::read;
using ::readlinkat;
using ::rename;
using ::renameat;
using ::rmdir;
using ::stat;
using ::strerror;
using ::symlinkat;
using ::unlink;
using ::unlinkat;
using ::write;

inline int64_t nanoseconds_of(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int fsync(int number);  // also what the disk itself holds back

}  // namespace bodkin::os
