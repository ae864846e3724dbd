// run_process: another program, to its end. No shell is involved.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "edits/result.h"

namespace bodkin {

struct ProcessRequest {
  std::vector<std::string> arguments;  // the program first; looked up in PATH
  std::string folder;                  // where it runs; empty: here
  std::string input;                   // its standard input
  size_t max_output = 4'000'000;       // bytes; the process is ended when it writes more
  std::chrono::milliseconds timeout{30'000};
  // The variables that hold keys of models are not passed on (holds_key), nor is this one.
  std::string hidden_variable;
  bool with_keys = false;  // all are: the program is one that finds a key
  // Only what any program needs: PATH, HOME, the language, Git's own.
  bool with_basics_only = false;
};

// By the name of a variable of the environment: …API_KEY…, …API_TOKEN…, …AUTH_TOKEN….
bool holds_key(std::string_view variable);

struct ProcessOutcome {
  int exit_code = 0;   // 128 + n, if signal n ended it
  std::string output;  // standard output
  std::string errors;  // standard error, its first 10,000 bytes
  bool cut = false;    // the output was longer than max_output
};

// Blocks. The process has its own process group, which is killed on a stop request, a timeout, or
// too much output; nothing of it is left when this returns. Errors: cancelled, unavailable (no such
// program), internal (timeout and the rest). Thread: any.
Result<ProcessOutcome> run_process(const ProcessRequest& request, const std::stop_token& stop);

}  // namespace bodkin
