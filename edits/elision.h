// Lines that stand for lines which stay: "// ... existing code ...", "# ... unchanged ...", "...".
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

// In any comment syntax; dots alone need none, and "existing code" no dots.
bool is_elision(std::string_view line);

// Beyond doubt: "// Loading more ..." may be code's own words.
bool is_sure_elision(std::string_view line);

// Which lines of a sketch elide. Bare dots below a line that opens a Python body are code.
std::vector<char> elisions_of(const std::vector<std::string_view>& lines);

}  // namespace bodkin
