// Child: a long-running child process that we talk to through pipes, such as a language server or
// an MCP server. A keeper ends it, and every process it has started, when we end, even by SIGKILL.
//
// It has no thread: nothing is read unless someone waits in `exchange`, so a child that writes more
// than its pipe holds (64 kB) blocks until then. Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/keeper.h"
#include "agent/platform/pipe.h"
#include "agent/platform/processes.h"
#include "edits/text/result.h"

namespace bodkin::rpc {

struct Command {
  std::vector<std::string> arguments;    // the program first, see find_program
  std::vector<std::string> environment;  // all of it, "NAME=value" each; see environment_for
  std::string folder = "/";              // where it runs; absolute
  std::string name;                      // for messages; empty: the first argument
  std::vector<std::string> never_from;   // folders that must not contain the program
};

class Child {
 public:
  using Clock = std::chrono::steady_clock;

  // Errors: unavailable (no such program), internal (out of processes or descriptors). If the
  // program cannot be executed, `exchange` reports it.
  static Result<std::unique_ptr<Child>> start(const Command& command);
  ~Child() = default;  // ends it, and every process it has started, at once; see Keeper::end
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Queues bytes for its standard input and writes as many as the pipe accepts now; `exchange`
  // writes the rest. Never blocks. Error: unavailable (64 MB are already queued, or it has ended).
  Result<void> write(std::string_view bytes);
  bool has_unwritten() const { return written_ < queue_.size(); }

  // Waits until there is output, the queue has been written, or `until` is reached; writes
  // meanwhile. Returns the output, at most 64 kB, possibly none. Errors: cancelled (`stop`);
  // unavailable, after its last output: it has ended, or closed its output or input (the sentence
  // says which, and quotes the last line of its standard error).
  Result<std::string> exchange(const std::stop_token& stop, Clock::time_point until);

  // The last 8 kB of its standard error, together with what was added by note().
  std::string_view errors() const;
  void note(std::string_view words);
  // For the user: " It wrote: …" with the last line of errors(); empty if there is none.
  std::string last_words() const;
  const std::string& name() const { return name_; }
  // The resources used by it and what it has started.
  ProcessUse use() const { return use_of_readers(in_.ends[1]); }

  // Orderly: writes the queue, closes its input, and waits for it to exit; after `grace` its
  // process group gets SIGTERM, after another `grace` SIGKILL. Then every process it has started is
  // ended. Discards its output. Returns the exit code; 128 + n if signal n ended it.
  int stop(std::chrono::milliseconds grace);

 private:
  explicit Child(std::string name);
  void write_some();
  // Waits in poll() once, and handles what is ready.
  void step(Clock::time_point until, std::string& output);
  void handle_report(const Keeper::Report& report);
  void mark_unusable(const char* what);
  bool is_over() const { return error_ || is_drained_; }
  Error end() const;  // why it is over

  const std::string name_;
  Pipe in_, out_, err_, woken_;
  std::string queue_;   // to be written to its input
  size_t written_ = 0;  // of it
  std::string errors_;
  std::optional<Keeper> keeper_;
  std::optional<int> status_;     // of waitpid, once it has ended
  std::optional<Error> error_;    // it did not start, or was lost
  const char* lost_ = nullptr;    // which pipe it closed, which makes it useless
  Clock::time_point status_end_;  // if lost_: until when to wait for its status
  bool is_drained_ = false, is_ending_input_ = false;
};

}  // namespace bodkin::rpc
