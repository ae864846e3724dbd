// Lines that stand inside a literal: here-documents, and strings of several lines. Their whitespace
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

struct Literal {
  size_t opening = 0;         // the line on which it begins
  size_t end = 0;             // behind its last line, which closes it
  bool is_at_margin = false;  // a here-document whose end must stand at the margin
};

// By where they begin; they are disjoint.
std::vector<Literal> literals_in(std::span<const std::string_view> lines);

// Does the line begin with a string of several lines? Such a one moves with the code.
bool is_docstring(std::string_view line);

}  // namespace bodkin
