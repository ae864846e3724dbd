// Attributes, decorators and comments that are not part of a declaration's node belong to it when
// only whitespace is in between; for a comment or a macro, no blank line either.
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

struct Span {  // bytes
  size_t begin = 0, end = 0;
  bool is_comment = false;
  bool is_macro = false;
};

struct Head {
  size_t begin = 0;          // with the attributes
  size_t comment_begin = 0;  // with the comment above them, too
};

// The declaration's head. `spans`: attributes and comments, sorted by `end`.
Head head_of(std::string_view text, const std::vector<Span>& spans, size_t begin);

// The end of the declaration's last statement: Python's blocks include the comments that follow
// them. `comments` are sorted by `end`.
size_t end_without_comments(std::string_view text, const std::vector<Span>& comments, size_t begin,
                            size_t end);

}  // namespace bodkin
