// A reply that is a thought and one command, and an output that ends the ask.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

struct CommandReply {
  size_t count = 0;  // blocks with a command; it can be run only if this is 1 and nothing is wrong
  std::string command;
  bool is_powershell = false;
  std::string thought;  // what is before the block, without the word THOUGHT
  // The problem with the one block, a sentence for the model; empty: none.
  std::string problem;
};

// The blocks in ```powershell, or if there are none, in ```bash, ```sh and ```mswea_bash_command. A
// block ends at a line of at least as many backticks that is not in a here-document.
CommandReply read_command_reply(std::string_view reply);

// Returns the text after the line that ends an ask; nullopt if there is no such line.
std::optional<std::string> submission_in(std::string_view output);

}  // namespace bodkin
