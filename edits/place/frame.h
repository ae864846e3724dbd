// What names the place of a change: the declaration that it stands in, or that a comment is above.
// Where a file has one such line, on its outermost level, and the quote has it, too, nothing else
// can be meant: a sibling has another name. A head further in names nothing, since the class round
// it may be another one; nor does a key of data ("spec:"), which every entry has. And a file has
// but one preamble: the imports that it begins with, and the comments above them. A comment that no
// import follows is of the first entry, and that may have been another one.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "edits/text/mapped_text.h"

namespace bodkin {

class Frame {
 public:
  // Of the file's lines [first, last), which the quote has; all lines below count from `first`.
  Frame(const MappedText& file, size_t first, size_t last);

  // The line that names the declaration which the line is in, or is. Nothing: it is in none, or the
  // lines do not reach so far.
  std::optional<size_t> name_of(size_t line) const;

  // The line `other` is not what the quote says. Is the place of the change certain nevertheless?
  // So it is if the declaration of the change is named, and no part of it without a name holds
  // both; or if the other line is in another one that is named, or the change in an outermost block
  // that is whole in these lines and has not the other one.
  bool pins_down(size_t change, size_t other) const;

  // Both lines are in one named declaration that is whole in these lines, from its head to its end.
  // No part of it is missing in the file then, and whatever differs in it is what moved on.
  bool is_whole_round(size_t change, size_t other) const;

 private:
  std::vector<size_t> heads_of(size_t line) const;  // of the blocks round it, the innermost first
  size_t with_words(size_t line) const;
  bool is_declaration(size_t line) const;
  bool encloses(size_t head, size_t line) const;  // by a brace, whatever the depth
  bool stands_once(size_t line) const;
  bool is_in_preamble(size_t line) const;
  bool is_in_whole_entry_without(size_t change, size_t other) const;
  bool has_namespaces() const;

  const MappedText& file_;
  const size_t first_;
  std::vector<std::string_view> lines_;
};

}  // namespace bodkin
