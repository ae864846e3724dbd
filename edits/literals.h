// Lines that stand inside a literal: here-documents, and strings of several lines. Their white space
// is what the program prints, so it does not move with the code around them.
//
//   cat <<EOF … EOF      """ … """      ''' … '''      ` … `      R"x( … )x"      [[ … ]]
//
// Read by these signs alone, in any language. A literal counts only if it also ends in the lines:
// else its sign may be the end of another, or an operator.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bodkin {

inline constexpr size_t kNoLiteral = static_cast<size_t>(-1);

// For each line: the line on which the literal began that it stands in (its last line included), or
// kNoLiteral.
std::vector<size_t> literals_in(std::span<const std::string_view> lines);

// Does the line begin with a string of several lines? Such a one moves with the code.
bool is_docstring(std::string_view line);

}  // namespace bodkin
