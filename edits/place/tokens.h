// Lines as tokens: how far two lines are apart, and what a line declares.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Words (letters, digits, '_', everything that is not ASCII) and single signs; no whitespace.
std::vector<std::string_view> tokens_of(std::string_view line);

// Are these two signs an operator, or a part of one ("==", "+=", "->")? ">>" may as well close two
// lists of types.
bool is_operator(char a, char b);

// How many tokens differ between two lines after their common ends.
size_t token_distance(std::string_view a, std::string_view b);

// The name that a line declares, or nothing.
std::string_view declared_name(std::string_view line);

// Do these lines declare different names ("def get_a(self):", "def get_b(self):")? Then one is a
// sibling of the other, not the same line that moved on. A slip of the pen in a long name aside.
bool declare_different_names(std::string_view a, std::string_view b);

}  // namespace bodkin
