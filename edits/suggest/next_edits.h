// Next edits: what the last edit of a person implies elsewhere in the same file, without a model.
//
//   the same lines   where the lines stand that were changed, at whatever depth, they are changed
//                    in the same way
//   a new name       a word became another one that the file did not have: where the old word
//                    stands as a word of code, it becomes the new one
//
// Nothing is guessed: a place whose lines are not equal is none; where the same lines were changed
// in two ways it is not known in which way others are meant; a name that is used very often is more
// than what was renamed, and one that is declared elsewhere may not be renamed at all. What is
// declared in a function means nothing in another one. Lines that became a longer text did so for
// a reason of their own (2 of 9 places followed, as tests/bench/next_edits.py counts). A name that
// is only used where it became another one, a line that went or became something else and a value
// that changed are followed once that was done a second time (of such edits 1 of 3 was the only
// one).
#pragma once

#include <string>
#include <vector>

#include "edits/suggest/name_scope.h"
#include "edits/suggest/recent_edit.h"

namespace bodkin {

struct NextEdit {
  LineRange lines;           // of the file, from 0
  Replacement change;        // in bytes of the file
  std::string message = {};  // instead of a change: what the person has to do at its offset
  bool is_sure = true;       // shown unasked; else only to a person who looks for it
};

struct NextEdits {
  std::vector<NextEdit> edits;  // below the last edit first, then from the top of the file
  std::string what;             // "Same change", "limit → bound"
};

using NameAt = std::function<bool(size_t offset, size_t length)>;
struct CodeAt {  // what the syntax of the file says
  FunctionAt function_at;
  NameAt is_name;   // no keyword or text
  NameAt is_bound;  // a name that is declared or imported there
};

// `edit` and `earlier`: as RecentEdit has them for this text. Linear in the file.
NextEdits next_edits(const Text& file, const EditedLines& edit,
                     const std::vector<EditedLines>& earlier, const CodeAt& code);

// Ascending changes within a few lines as one of these lines.
NextEdit in_whole_lines(const Text& file, const std::vector<Replacement>& changes);
void put_below_first(NextEdits& next, size_t line);
bool is_any_sure(const NextEdits& next);

}  // namespace bodkin
