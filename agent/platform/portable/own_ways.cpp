#include "agent/platform/files.h"
#include "agent/platform/processes.h"

namespace bodkin::os {

int64_t written_at(const FileStatus& status) {
#ifdef __APPLE__
  const timespec written = status.st_mtimespec;
#else
  const timespec written = status.st_mtim;
#endif
  return int64_t{written.tv_sec} * 1'000'000'000 + written.tv_nsec;
}

void make_thread_lazy() {}

void give_back_memory() {}

}  // namespace bodkin::os
