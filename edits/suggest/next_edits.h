// Next edits: what the last edit of a person implies elsewhere in the same file, without a model.
//
//   the same lines   where the changed lines occur again, at any depth, they are changed in
//                    the same way
//   a new name       a word became another one that the file did not have: it replaces the old word
//                    wherever that is a word of code
//
// Nothing is guessed: a place must have equal lines; where the same lines were changed in two ways,
// it is unknown which is meant; a name that is used very often is more than what was renamed, and
// one that is declared elsewhere may not be renamed at all. A name declared in a function means
// nothing in another one, and a member is not the same as a name that stands alone. Lines say this
// only roughly: of a new name, what is not shown unasked is to be offered where the syntax is
// certain (agent/suggest/renamed_places.h).
//
// An edit is shown unasked (NextEdit::is_sure) only in cases that were almost never wrong in the
// histories of public repositories: the same lines at the same depth once the edit was made three
// times; a name once a word was replaced in two places and is in three more, or was in seven;
// nothing any more once a place was passed over. By tests/bench/next_edits.py, after 8,107 edits of
// 22 repositories that no rule had seen, 0 of 81 were wrong. Of the hints of earlier builds there
// that these rules keep, 2 of 124 same lines and 3 of 39 names were.
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
