// Next edits: what the last edit of a person implies elsewhere in the same file, without a model.
//
//   the same lines   where the lines stand that were changed, at whatever depth, they are changed
//                    in the same way
//   a new name       a word became another one that the file did not have: where the old word
//                    stands as a word of code, it becomes the new one
//
// Replayed from the histories of public repositories (tests/bench/next_edits.py), the next of these
// below an edit was what came in 155 of 219 cases for the lines, and in 20 of 31 for names.
//
// Nothing is guessed: a place whose lines are not equal is none; where the same lines were changed
// in two ways it is not known in which way others are meant; a name that is used very often is more
// than what was renamed.
#pragma once

#include <string_view>
#include <vector>

#include "edits/suggest/recent_edit.h"

namespace bodkin {

struct NextEdit {
  LineRange lines;     // of the file, from 0
  Replacement change;  // in bytes of the file
};

struct NextEdits {
  std::vector<NextEdit> edits;  // below the last edit first, then from the top of the file
  std::string from, to;         // the word that became another one; empty: the same lines
};

// `edit` and `earlier`: as RecentEdit has them for this text. Linear in the file.
NextEdits next_edits(const Text& file, const EditedLines& edit,
                     const std::vector<EditedLines>& earlier);

}  // namespace bodkin
