// A text in pieces. All are views into it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bodkin {

// The pieces between the separators: n + 1 of them, any of which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);
// The lines, without line ends (\n). After the last line end there is a line only if it has text.
enum class Returns { kept, dropped };  // at the end of a line: of "\r\n"
std::vector<std::string_view> split_lines(std::string_view text, Returns returns = Returns::kept);
// The number that the whole text is, in decimal digits.
std::optional<size_t> whole_number(std::string_view text);

}  // namespace bodkin
