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
// declared in a function means nothing in another one, and a member is not what stands alone.
//
// It is shown unasked (NextEdit::is_sure) only where hardly any was wrong in the histories of
// public repositories: the same lines at the same depth once the edit was made three times; a name
// once a word was replaced in two places and stands in three more, or was in seven; nothing any
// more once a place was passed over. By tests/bench/next_edits.py, after 8,107 edits of 22
// repositories that no rule had seen, 0 of 81 were wrong. Of the hints of earlier builds there that
// these rules keep, 2 of 124 same lines and 3 of 39 names were.
#pragma once

#include <vector>

#include "edits/suggest/name_scope.h"
#include "edits/suggest/next_edit.h"
#include "edits/suggest/recent_edit.h"

namespace bodkin {

using NameAt = std::function<bool(size_t offset, size_t length)>;
struct CodeAt {  // what the syntax of the file says
  FunctionAt function_at;
  NameAt is_name;   // no keyword or text
  NameAt is_bound;  // a name that is declared or imported there
};

// `edit` and `earlier`: as RecentEdit has them for this text. Linear in the file.
NextEdits next_edits(const Text& file, const EditedLines& edit,
                     const std::vector<EditedLines>& earlier, const CodeAt& code);

}  // namespace bodkin
