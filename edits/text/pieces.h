// A text in pieces. All are views into it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bodkin {

// What is between the separators: n + 1 pieces, of which any may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);
// Without line ends. Behind the last line end there is no line unless it has text.
std::vector<std::string_view> split_lines(std::string_view text);
// The number that all of the text is, in decimal digits.
std::optional<size_t> whole_number(std::string_view text);

}  // namespace bodkin
