// What Linux alone has, or names so.
#include <malloc.h>
#include <sys/resource.h>

#include "agent/platform/files.h"
#include "agent/platform/processes.h"

namespace bodkin::os {

int64_t written_at(const FileStatus& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

void make_thread_lazy() { ::setpriority(PRIO_PROCESS, 0, 10); }

void give_back_memory() { ::malloc_trim(0); }

}  // namespace bodkin::os
