#include "edits/text/pieces.h"

#include <charconv>

namespace bodkin {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    pieces.push_back(text.substr(0, end));
  pieces.push_back(text);
  return pieces;
}

std::vector<std::string_view> split_lines(std::string_view text, Returns returns) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines)
    if (returns == Returns::dropped && line.ends_with('\r')) line.remove_suffix(1);
  return lines;
}

std::optional<size_t> whole_number(std::string_view text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

}  // namespace bodkin
