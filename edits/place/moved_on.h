// Tells a line that was edited since it was quoted from one that is similar but different.
//
//   words inserted or deleted      the same line, changed since: "if (x" and "if (x && y"
//   words replaced by other words  another thing: "open_file(" and "open_sock(", "v1" and "v2";
//                                  opposites ("min" and "max") in any quote, however long
//   punctuation, numbers, "not"    another thing, inserted or replaced: they invert the meaning
//                                  ("<" and "<=", "!", "*") or count ("step 2"), as in siblings
//   a typo                         spelling: a letter added, missing or swapped inside a long word
//                                  that occurs nowhere else in the file
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
  renamed,   // one name or string was replaced by another
  other,
};

// No more words may be inserted or deleted than both lines have in common; two are always allowed,
// and a comment at the end.
Kinship kinship_of(const MappedText& file, std::string_view quoted, std::string_view ours);

// True if one of these words is a typo for the other. Not if it may be a number, a plural or a
// prefix: those are siblings' names.
bool is_clear_typo(std::string_view a, std::string_view b);

// The difference between two lines classified as `renamed`, if it is a single name or a single word
// in a string. Views into the lines.
struct Rename {
  std::string_view theirs, ours;  // the word
  bool typo = false;              // one or two letters differ; weaker than a slip
  bool slip = false;        // … inside the word, and the result is not a different valid word
  bool one_letter = false;  // one letter differs, other than in case
};
Rename rename_between(std::string_view quoted, std::string_view ours);

// True if the two lines differ only in a number.
bool differ_only_in_number(std::string_view quoted, std::string_view ours);

// True if the words share a prefix or suffix, or one contains the other, as names of variants do
// ("created" and "updated", "v1" and "v1beta").
bool share_affix(std::string_view a, std::string_view b);

// True if the word occurs anywhere in the file.
bool occurs_as_word(const MappedText& file, std::string_view word);

// True if it occurs only once, even as part of another word, ignoring case.
bool occurs_once(const MappedText& file, std::string_view word);

}  // namespace bodkin
