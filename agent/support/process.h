// run_process: another program, to its end. No shell is involved.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/program.h"
#include "edits/text/result.h"

namespace bodkin {

struct ProcessRequest {
  std::vector<std::string> arguments;  // the program first, as find_program wants it
  std::string name;                    // of the program, for messages; empty: the first argument
  std::string folder;  // where it runs; empty or not absolute: "/", where no file steers a program
  std::string input;   // its standard input
  size_t max_output = 4'000'000;  // bytes; the process is ended when it writes more
  // Takes the output as it comes, in place of ProcessOutcome::output; max_output means nothing
  // then. False: enough, the process is ended and the outcome is cut. On the caller's thread.
  std::function<bool(std::string_view)> on_output = nullptr;
  std::chrono::milliseconds timeout{30'000};
  std::vector<std::string> never_from;  // folders in which the program itself may not lie
  // Its environment; see environment_for.
  Variables variables = Variables::basic;
  std::vector<std::string> also_variables;  // names
  std::vector<std::string> set_variables;   // "NAME=value"
  // What it started goes on when it has ended well: a password store leaves its agent behind.
  bool may_leave_processes = false;
};

struct ProcessOutcome {
  int exit_code = 0;   // 128 + n, if signal n ended it
  std::string output;  // standard output
  std::string errors;  // standard error, its first 10,000 bytes
  bool cut = false;    // the output was longer than max_output
};

// Blocks until the program has ended, and at most a moment longer for output of what it left
// behind. It and all that it started are ended on a stop request, a timeout, or too much output,
// and what is left of them when it has ended; also if this process is killed
// (agent/support/keeper.h says how far that goes). Errors, each a sentence: cancelled, unavailable
// (no such program), internal (it did not end in time, and the rest). Thread: any.
Result<ProcessOutcome> run_process(const ProcessRequest& request, const std::stop_token& stop);

}  // namespace bodkin
