// A diff for a person, on a terminal in colours.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace bodkin {

// True if a stream may have colours. See https://no-color.org.
bool use_colors(std::FILE* stream);
// The text that print_diff() prints to this stream.
std::string coloured_diff(std::string_view diff, std::FILE* to, bool is_patch = false);
// `is_patch`: it was asked for, and another program may apply it: its bytes, but for a terminal.
void print_diff(std::string_view diff, std::FILE* to = stdout, bool is_patch = true);

}  // namespace bodkin
