// Is a line of the file the quoted line that moved on, or is it a sibling of it?
//
//   words inserted or deleted      the same line moved on: "if (x" and "if (x && y"
//   words replaced by other words  another thing: "open_file(" is not "open_sock(", "v1" is not
//   "v2" signs alone, numbers, "not"    another thing, inserted or replaced: they turn the meaning
//   round
//                                  ("<" and "<=", "!", "*") or count ("step 2"), as siblings do
//   a slip of the pen              spelling: a letter too many, too few or swapped inside a long
//   word
//                                  that stands nowhere else in the file
//   quotes, commas                 spelling
//   round and curly brackets       spelling, but not those of a call without arguments
//
// A word is a name with its dots, slashes, and dashes, a number, an operator, or the whole of a
// string: "left-pad", "/users/:id", and "adds two numbers" are one each.
#pragma once

#include <cstddef>
#include <string_view>

#include "edits/text/mapped_text.h"

namespace bodkin {

enum class Kinship {
  same,      // spelling aside
  moved_on,  // words were inserted or deleted
  renamed,   // one name, or a string, is another one
  other,
};

// No more words may have been inserted or deleted than both lines have; two may in any case, and a
// comment at the end.
Kinship kinship_of(const MappedText& file, std::string_view quoted, std::string_view ours);

// Is one of these words a slip of the pen for the other? Not where it may be a number, a plural, or
// a prefix: those are siblings' names.
bool is_slip(std::string_view a, std::string_view b);

// What differs between two lines of the kind `renamed`, if it is one name or one word of a string.
// Views into the lines.
struct Rename {
  std::string_view theirs, ours;  // the word
  bool typo = false;  // a letter or two that are not the same, which is less than a slip
  bool slip = false;  // … but inside the word, and none that makes another word of it
  bool one_letter = false;  // one letter is another one, its case aside
};
Rename rename_between(std::string_view quoted, std::string_view ours);

// Is a number all that differs between the two lines?
bool differ_in_a_number(std::string_view quoted, std::string_view ours);

// Do the words have an end in common, or one the other in it, as variants' names do ("created" and
// "updated", "v1" and "v1beta")?
bool share_an_end(std::string_view a, std::string_view b);

// Does the word stand anywhere in the file?
bool stands_in(const MappedText& file, std::string_view word);

// Does it stand there but once, be it as a part of another, in capitals or not?
bool is_of_one_line(const MappedText& file, std::string_view word);

}  // namespace bodkin
