// Finds where comments begin, in any language. The language of a line is not known here, so a line
// is a comment if it is one in a common language and rarely code in another: "# x" is, "#include"
// and "#id {" are not; "-- x" is, "--count;" is not.
#pragma once

#include <string_view>

namespace bodkin {

// True if a line, indented or not, is only a comment, or a line within a block comment. A heading
// of Markdown below the first level is not one.
bool is_comment(std::string_view line);

// True if a trailing comment begins here: `rest` is the rest of a line of code.
bool opens_comment(std::string_view rest);

}  // namespace bodkin
