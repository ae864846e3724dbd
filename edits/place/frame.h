// What identifies the location of a change: the declaration that contains it, or that follows the
// comment it is in. If a file has one such line on its outermost level, and the quote has it too,
// nothing else can be meant: a sibling has another name. A nested head does not count, since the
// enclosing class may be a different one; nor does a key in data ("spec:"), which every entry has.
// And a file has only one preamble: the imports it begins with, and the comments above them. A
// comment that no import follows belongs to the first entry, which may have been a different one.
// An attribute of the declaration ("@route("/users")") may be what tells it from its siblings,
// which are often all called "show": with another word in it, it is not certain either.
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

  // The line that names the declaration that contains the line, or is the line. Nothing: it is in
  // none, or the lines do not reach that far.
  std::optional<size_t> name_of(size_t line) const;

  // The line `other` differs from the quote. Is the place of the change still certain? Yes, if the
  // declaration of the change is named and no unnamed part of it contains both, or if the other
  // line is in a different named one, or the change in an outermost block that is whole in these
  // lines and does not contain the other line.
  bool identifies(size_t change, size_t other) const;

  // Both lines are in one named declaration that is whole in these lines, from its head to its end.
  // No part of it is missing in the file then, and whatever differs in it was edited since.
  bool is_complete_around(size_t change, size_t other) const;

 private:
  std::vector<size_t> heads_of(size_t line) const;  // of the blocks around it, innermost first
  size_t line_with_words(size_t line) const;
  bool is_declaration(size_t line) const;
  bool encloses(size_t head, size_t line) const;  // by a brace, regardless of indentation
  bool occurs_once_in_file(size_t line) const;
  bool is_in_preamble(size_t line) const;
  bool is_in_whole_entry_without(size_t change, size_t other) const;
  bool is_in_attribute_of(size_t name, size_t line) const;
  bool has_namespaces() const;

  const MappedText& file_;
  const size_t first_;
  std::vector<std::string_view> lines_;
};

}  // namespace bodkin
