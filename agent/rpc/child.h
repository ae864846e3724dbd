// Child: a program of ours that goes on running and is talked to by pipes, as a language server or
// an MCP server is. A keeper ends it, and all that it has started, when we end, also by SIGKILL.
//
// It has no thread: while nobody waits in `exchange` nothing is read, and a child that writes more
// than its pipe holds (64 kB) waits for us. Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/keeper.h"
#include "agent/support/pipe.h"
#include "edits/text/result.h"

namespace bodkin::rpc {

struct Command {
  std::vector<std::string> arguments;    // the program first, as find_program wants it
  std::vector<std::string> environment;  // "NAME=value" each, and nothing else: environment_for
  std::string folder = "/";              // where it runs; absolute
  std::string name;                      // for messages; empty: the first argument
  std::vector<std::string> never_from;   // folders in which the program itself may not lie
};

class Child {
 public:
  using Clock = std::chrono::steady_clock;

  // Errors: unavailable (no such program), internal (no processes or descriptors are left). That
  // the program cannot be executed, `exchange` says.
  static Result<std::unique_ptr<Child>> start(const Command& command);
  ~Child() = default;  // ends it at once, and all that it has started; see Keeper::end
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Queues bytes for its standard input and writes what its pipe takes now; `exchange` writes the
  // rest. Never waits. Error: unavailable: it does not read (64 MB wait already), or is over.
  Result<void> write(std::string_view bytes);
  bool has_unwritten() const { return written_ < queue_.size(); }

  // Waits until there is output, all that was queued is written, or `until`; writes meanwhile.
  // Returns the output, at most 64 kB; it may be empty. Errors: cancelled (`stop`); unavailable,
  // after its last output: it has ended, or has closed its output or its input (the sentence says
  // which, and what it last wrote to its standard error).
  Result<std::string> exchange(const std::stop_token& stop, Clock::time_point until);

  // The end of what it wrote to its standard error, at most 8 kB, and of what was noted.
  std::string_view errors() const;
  void note(std::string_view words);
  // For the user: " It wrote: …" with the last line of errors(); empty if there is none.
  std::string last_words() const;
  const std::string& name() const { return name_; }

  // In order: what is queued is written, its input closed, and it may end; after `grace` its
  // process group gets SIGTERM, after another `grace` SIGKILL. All that it has started is ended
  // then. Output is thrown away. Returns its exit code; 128 + n, if signal n ended it.
  int stop(std::chrono::milliseconds grace);

 private:
  explicit Child(std::string name);
  void write_some();
  // One wait in poll, and what is ready then.
  void step(Clock::time_point until, std::string& output);
  void hear(const Keeper::Report& report);
  void lose(const char* what);
  bool is_over() const { return error_ || is_drained_; }
  Error end() const;  // why it is over

  const std::string name_;
  Pipe in_, out_, err_, woken_;
  std::string queue_;   // for its input
  size_t written_ = 0;  // of it
  std::string errors_;
  std::optional<Keeper> keeper_;
  std::optional<int> status_;     // it has ended, as of waitpid
  std::optional<Error> error_;    // it did not start, or was lost
  const char* lost_ = nullptr;    // what it has closed, so that it is of no use
  Clock::time_point status_end_;  // if lost_: how long its status is waited for
  bool is_drained_ = false, is_ending_input_ = false;
};

}  // namespace bodkin::rpc
