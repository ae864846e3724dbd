// Keeper: starts a program, and ends it and every process it has started when told to, or when we
// are gone, for any reason.
//
//   Linux    a small process of ours between us and the program: whatever group or session they
//            moved to, since it is their subreaper, so that an orphan becomes its child
//   POSIX    the same process, for those in the program's own process group
//   Windows  a job object, which ends with its last handle: ours
//
// Exceptions are processes that may not be killed (set-user-ID programs), and those that another
// service starts on the program's behalf.
#pragma once

#include <cstdint>

#include "agent/platform/pipe.h"

namespace bodkin {

// POSIX: keepers are forked by one process, which is itself forked as early as possible: forking us
// copies the page tables of all our memory (40 ms for 100 MB), and a child of a multi-threaded
// process may do little before it calls exec. Without this call the first Keeper creates that
// process. Windows: nothing.
void start_keepers();

struct Launch {                      // only used until Keeper's constructor returns
  const char* program = nullptr;     // absolute
  char* const* arguments = nullptr;  // this and `environment` end with a null
  char* const* environment = nullptr;
  const char* folder = nullptr;              // absolute
  int input = -1, output = -1, errors = -1;  // become its descriptors 0, 1 and 2
  // Limits of it and all that it starts together; 0: no limit. Windows only: elsewhere a sandbox's
  // launcher sets them.
  uint64_t most_memory = 0;  // bytes
  unsigned most_processes = 0;
};

// The folder for a program that needs none: the root of the disk.
const char* folder_of_nothing();

class Keeper {
 public:
  // SIGPIPE must be blocked or ignored as long as a keeper exists (HeldPipeSignal).
  explicit Keeper(const Launch& launch);
  ~Keeper() { end(); }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  int start_error() const { return start_error_; }   // 0: it was started, or will be; else errno
  int report_fd() const { return report_.ends[0]; }  // readable: next_report() will not block

  struct Report {
    enum class Kind { ended, not_started, lost };  // lost: the keeper itself was killed
    Kind kind = Kind::lost;
    int value = 0;  // ended: a status (agent/platform/processes.h); not_started: errno
  };
  Report next_report();

  void end();    // ends the remaining processes; blocks for a few seconds at most
  void leave();  // the remaining processes keep running
  // POSIX: SIGTERM to the program's process group, even if the program has ended. Windows: as end()
  // does, since programs have no such signal there.
  void terminate();

 private:
  void say(char word);

  Pipe life_, report_;  // POSIX: we hold the write end of life_, the keeper the read end
  int start_error_ = 0;
};

}  // namespace bodkin
