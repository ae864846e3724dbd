// Functions that only Linux has, or that have other names elsewhere.
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/posix/forked.h"
#include "agent/platform/processes.h"

namespace bodkin::os {

int fsync(int number) { return ::fsync(number); }

int64_t written_at(const FileStatus& status) { return nanoseconds_of(status.st_mtim); }
int64_t changed_at(const FileStatus& status) { return nanoseconds_of(status.st_ctim); }

std::string own_program() {
  std::error_code error;
  const std::filesystem::path own = read_symlink("/proc/self/exe", error);
  return error ? "" : own.native();
}

void end_with_parent(int signal) { ::prctl(PR_SET_PDEATHSIG, signal); }

void make_thread_lazy() { ::setpriority(PRIO_PROCESS, 0, 10); }

void give_back_memory() { ::malloc_trim(0); }

}  // namespace bodkin::os
