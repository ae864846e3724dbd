// What may have been done to a text between the model and here: a viewer's line numbers, a page's
// entities, a JSON string's escapes, typographic signs; and the text without it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// The length of "12 | ", "12: ", "12\t", "12→"; 0 if there is none.
size_t gutter_of(std::string_view line);
std::string without_entities(std::string_view line);
// Without the backslashes before quotes and backslashes.
std::string without_escaped_quotes(std::string_view line);
// Replaces every escape by its character, in a text whose lines are joined.
std::vector<std::string> without_escapes(const std::vector<std::string>& lines);
// True if "\n" is in the line, and not in a string literal of it.
bool breaks_line_outside_string(std::string_view line);

// True if the line has entities, typographic signs, or escapes that are not in a string literal.
bool looks_distorted(std::string_view line);
// Each way to undo that for all of a text; those that leave it as it is are left out.
std::vector<std::string> undistorted(std::string_view text);

}  // namespace bodkin
