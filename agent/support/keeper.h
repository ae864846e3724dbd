// Keeper: a small process of our own between us and a program that we start. When it is told to, or
// when we are gone, also by SIGKILL, it ends the program and all that the program has started.
//
//   Linux   whatever group or session they went to: the keeper is their subreaper, so whoever loses
//           its parent becomes its child
//   else    those in the program's own process group
//
// Not those that may not be killed (set-user-ID programs), nor those that another service starts
// for the program.
#pragma once

#include "agent/support/pipe.h"

namespace bodkin {

// Keepers come from one process that is forked from us, as early as possible: a fork of ours copies
// the tables of all our memory (40 ms for 100 MB), and with several threads it may do little.
// Without this call the first Keeper makes that process.
void start_keepers();

struct Launch {                      // all of it is used before Keeper's constructor returns
  const char* program = nullptr;     // absolute
  char* const* arguments = nullptr;  // these two end with a null
  char* const* environment = nullptr;
  const char* folder = "/";
  int input = -1, output = -1, errors = -1;  // what become its 0, 1 and 2
};

class Keeper {
 public:
  // While there is a keeper SIGPIPE is blocked or ignored (HeldPipeSignal).
  explicit Keeper(const Launch& launch);
  ~Keeper() { end(); }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  int start_error() const { return start_error_; }  // of errno: there is no keeper; 0: there is one
  int report_fd() const { return report_.ends[0]; }  // readable: there is a next_report()

  struct Report {
    enum class Kind { ended, not_started, lost };  // lost: something has ended the keeper
    Kind kind = Kind::lost;
    int value = 0;  // ended: as of waitpid; not_started: of errno
  };
  Report next_report();

  void end();        // blocks until what is left has been ended, at most for a few seconds
  void leave();      // what is left goes on
  void terminate();  // SIGTERM to the program's process group, also when the program has ended

 private:
  void say(char word);

  Pipe life_, report_;  // we hold the end of life_ that is written, the keeper the other
  int start_error_ = 0;
};

}  // namespace bodkin
