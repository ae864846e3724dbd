// Reads the output of a child process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string_view>

namespace bodkin {

// Hands on the output of the pipe until the child has ended, and returns its wait status: a program
// that it left behind may hold the pipe open. Blocks.
int read_until_ended(int pipe, pid_t child, const std::function<void(std::string_view)>& take);

}  // namespace bodkin
