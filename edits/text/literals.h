// Lines inside a literal: here-documents and multi-line strings. Their whitespace is what the
// program prints, so it does not move with the code around them.
//
//   cat <<EOF … EOF      """ … """      ''' … '''      ` … `      R"x( … )x"      [[ … ]]
//
// Recognized by these delimiters alone, in any language. A literal counts only if it also ends
// within the lines; otherwise the delimiter may close another literal, or be an operator.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bodkin {

struct Literal {
  size_t opening = 0;         // the line on which it begins
  size_t end = 0;             // after its last line, which closes it
  bool is_at_margin = false;  // a here-document whose terminator must be in column 0
};

// In order of their beginnings; disjoint.
std::vector<Literal> literals_in(std::span<const std::string_view> lines);

// True if the line begins with a multi-line string. Such a string moves with the code.
bool is_docstring(std::string_view line);

}  // namespace bodkin
