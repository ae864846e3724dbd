// CommandLine: the simple commands of a line for the shell, for the patterns of permissions. The
// reader is sure of little: all that it does not know makes the line unclear. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct CommandLine {
  struct Command {               // its words, with one blank between them
    std::string written, meant;  // meant: without quotes and backslashes
  };
  // Of an unclear line those that were recognized, also in substitutions; assignments, keywords
  // and the signs of redirections are left out.
  std::vector<Command> commands;
  // These commands, joined by && || | ; or line ends, are all of it: no substitution, variable,
  // redirection, assignment, keyword, group, background job, escape or comment.
  bool is_clear = true;
};

CommandLine read_command_line(std::string_view line);

}  // namespace bodkin
