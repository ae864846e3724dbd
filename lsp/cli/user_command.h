// A command that the user runs from a conversation: "!make test".
#pragma once

#include <string>

namespace bodkin {

// Runs it in a shell in `folder`, in the terminal, with the user's own rights; Ctrl-C ends it.
// Shows its output as it comes, and returns it as it goes with a request, after telling the user
// so: bounded, without escapes and secrets. Empty if there is none.
std::string output_of_command(const std::string& command, const std::string& folder);

}  // namespace bodkin
