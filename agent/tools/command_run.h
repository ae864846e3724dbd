// One command of the model's, from the permission to what became of it: for the tool run_command
// and for profiles whose replies are commands.
#pragma once

#include <optional>
#include <string>

#include "agent/sandbox/shell.h"
#include "agent/support/task.h"
#include "agent/tools/tools.h"

namespace bodkin {

struct CommandEnd {
  enum class State {
    ended,    // by itself
    stopped,  // for its time or a limit: nothing that it changed was kept
    not_run,  // or nothing is known of it
  };
  State state = State::not_run;
  int exit_code = 0;
  std::string output;       // valid UTF-8, all of it
  std::string told;         // of `ended`, for the model: what was changed, may be empty; else why
  bool edited = false;      // the draft has changed
  std::string advice = {};  // of `not_run`, for the model alone: what to do instead
};

// The end for the user: the exit code, and the output's last lines. Nullopt: it did not end by
// itself.
std::optional<Step::Command> shown_end(const CommandEnd& end);

// Asks the gate and runs the command. Blocks.
CommandEnd run_one(ToolBench& bench, ShellLine line, const Task& task);

// An output as the model sees it: without its middle if it is above 10,000 characters, and with
// control characters shown by name. `advice`: how to get less, for the model.
std::string shown_output(const std::string& output,
                         const char* advice =
                             "be more precise, with head, tail or grep, or a "
                             "quieter option");

std::string title_of_command(const std::string& command);  // its beginning, in one line

}  // namespace bodkin
