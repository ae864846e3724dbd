// Commands that a command runs: those after `env`, `nice`, `xargs` or `find -exec`, and the
// scripts that are given to `sh -c` or `eval`. Pure.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

struct WrappedCommands {
  std::vector<std::vector<std::string>> commands;  // their words; each may wrap others in turn
  std::vector<std::string> scripts;                // shell command lines
  bool reads_script = false;                       // a shell that reads one from its input
};

// `words`: of a simple command, as CommandLine::Command::meant has them. What an option takes is
// not known of every program: where a word may be an argument or the command, it is taken as both.
WrappedCommands wrapped_in(const std::vector<std::string>& words);

}  // namespace bodkin
