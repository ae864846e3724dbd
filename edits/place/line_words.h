// A line as words: names with their dots, slashes, and dashes, numbers, operators, and whole
// strings. "left-pad", "/users/:id", and "adds two numbers" are one each.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace bodkin {

struct LineWords {
  std::vector<std::string_view> all;  // views into the line
  size_t comment = 0;  // the first word of a comment at the end; else how many there are
};

LineWords words_of(std::string_view line);

// A letter, a digit, '_', '$', or a byte that is not ASCII.
bool is_name_char(char c);

}  // namespace bodkin
