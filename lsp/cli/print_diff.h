// A diff for a person, on a terminal in colours.
#pragma once

#include <cstdio>
#include <string_view>

namespace bodkin {

// May a stream have colours? See https://no-color.org.
bool use_colors(std::FILE* stream);
void print_diff(std::string_view diff, std::FILE* to = stdout);

}  // namespace bodkin
