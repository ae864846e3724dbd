// run_process: runs a program to its end. No shell is involved.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/program.h"
#include "edits/text/result.h"

namespace bodkin {

struct ProcessRequest {
  std::vector<std::string> arguments;  // the program first, see find_program
  std::string name;                    // of the program, for messages; empty: the first argument
  std::string folder;  // where it runs; empty or relative: "/", where no file configures a program
  std::string input;   // its standard input
  size_t max_output = 4'000'000;  // bytes; a process that writes more is ended
  // Receives the output as it arrives, instead of ProcessOutcome::output; max_output is ignored
  // then. Returning false ends the process, and the outcome is `cut`. On the caller's thread.
  std::function<bool(std::string_view)> on_output = nullptr;
  std::chrono::milliseconds timeout{30'000};
  std::vector<std::string> never_from;  // folders that must not contain the program
  // Its environment; see environment_for.
  Variables variables = Variables::basic;
  std::vector<std::string> also_variables;  // names
  std::vector<std::string> set_variables;   // "NAME=value"
  bool joins_errors = false;                // standard error comes with the output, in order
  uint64_t most_memory = 0;                 // see Launch
  unsigned most_processes = 0;
  // Processes it started may outlive a successful run: a password store leaves its agent behind.
  bool may_leave_processes = false;
};

struct ProcessOutcome {
  int exit_code = 0;   // 128 + n, if signal n ended it
  std::string output;  // standard output
  std::string errors;  // standard error, its first 10,000 bytes
  bool cut = false;    // the output was longer than max_output
};

// Blocks until the program has ended, and a moment longer if processes it left behind still write.
// A stop request, a timeout or too much output ends the program and every process it started; when
// it ends by itself, or if this process is killed, the remaining ones are ended too (for the limits
// of this see agent/platform/keeper.h). Errors, each a sentence: cancelled, unavailable (no such
// program), internal (it did not end in time, and everything else). Thread: any.
Result<ProcessOutcome> run_process(const ProcessRequest& request, const std::stop_token& stop);

}  // namespace bodkin
