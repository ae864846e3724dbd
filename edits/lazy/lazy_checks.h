// The questions that a merged sketch must answer: one list (`kChecks`). A single region is asked
// about what it removes before it is chosen (lazy_loss.h); these look at the whole result:
//
//   adds an entry again its head and a line below it stay at another indentation; or its body is
//                       that of the entry beside it, which is not shown
//   declares again      a new function or value has the name of one that stays and is not shown
//   misplaces a body    a new head stands above lines that are not in it, or that are another's
//   adds a line again   a line that says something is in its block already
//   forgets an elision  lines go between two that the sketch shows beside each other, which are not
//                       one entry
//   takes a remark      a comment comes for code of the file, or a foreign line for its first or
//                       last ones
//   tears a statement   what opens brackets goes for what does not, and lines in them stay below
//   dresses again       a comment or attribute comes above a head that may be one it has, changed
//   doubles neighbours  two lines in a row stay beside the change, at another indentation, or the
//                       bracket that is all that is added
//
// A line may well occur in two functions, but rarely twice in one block. A block ends at a less
// indented line, and at the heading of a table.
#pragma once

#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// An error (`ambiguous`) if these edits, which the sketch was merged to, lose what stays or write
// a line of the file a second time.
FailureOr<void> check_merged(std::string_view sketch, const MappedText& file, std::string_view path,
                             const std::vector<Replacement>& edits);

}  // namespace bodkin
