// CommandLine: the simple commands of a shell command line, for matching permission patterns. The
// parser is conservative: anything it does not understand makes the line unclear. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct CommandLine {
  // Stands for any characters, also for none and for several words.
  static constexpr char kAnything = '\x02';
  struct Command {               // its words, separated by single spaces
    std::string written, meant;  // meant: without quotes and backslashes; from the first glob or
                                 // expansion of a word to its end: kAnything
  };
  // The commands of the line. If it is unclear: the recognizable ones, even in substitutions,
  // without assignments, keywords and redirections. A command with a substitution ends there, with
  // kAnything.
  std::vector<Command> commands;
  // The commands that these run in turn, as `meant` has it: after `env` or `xargs`, given to `sh
  // -c`, in a here-document of a shell. Where that is unclear there may be too many: they serve to
  // forbid something, never to allow it.
  std::vector<std::string> inner;
  // The line consists of these commands, joined by && || | ; or line ends: no substitution,
  // variable, glob, redirection, assignment, keyword, group, background job, escape or comment.
  bool is_clear = true;
};

CommandLine read_command_line(std::string_view line);

}  // namespace bodkin
