#include <fcntl.h>
#include <unistd.h>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/posix/forked.h"
#include "agent/platform/processes.h"
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <malloc/malloc.h>
#include <pthread/qos.h>

#include <cstring>
#endif

namespace bodkin::os {

// On macOS, plain fsync() leaves it to the disk when, and in what order, its cache is written.
int fsync(int number) {
#ifdef F_FULLFSYNC
  if (::fcntl(number, F_FULLFSYNC) == 0) return 0;  // not every file system has it
#endif
  return ::fsync(number);
}

#ifdef __APPLE__
int64_t written_at(const FileStatus& status) { return nanoseconds_of(status.st_mtimespec); }
int64_t changed_at(const FileStatus& status) { return nanoseconds_of(status.st_ctimespec); }
#else
int64_t written_at(const FileStatus& status) { return nanoseconds_of(status.st_mtim); }
int64_t changed_at(const FileStatus& status) { return nanoseconds_of(status.st_ctim); }
#endif

std::string own_program() {
#ifdef __APPLE__
  uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return "";
  path.resize(std::strlen(path.c_str()));
  return path_of_existing(path).value_or("");
#else
  return path_of_existing("/proc/self/exe").value_or("");
#endif
}

void end_with_parent(int) {}

void make_thread_lazy() {
#ifdef __APPLE__
  ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#endif
}

void give_back_memory() {
#ifdef __APPLE__
  ::malloc_zone_pressure_relief(nullptr, 0);
#endif
}

}  // namespace bodkin::os
