// Detects a merged sketch that loses what it only left out. The last check of a merge: what it
// removes and adds at the ends of the file, remarks that were not taken for elisions, and copies of
// lines that stay.
//
// A blank line next to an elision does not say what else is there: new lines that are each nearly
// the file's next ones, which the sketch does not show, may be those, changed. One alone, without
// a blank line, may also be new, as an import beside others is.
#pragma once

#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/syntax.h"
#include "edits/text/text.h"

namespace bodkin {

// An error (`ambiguous`) if these edits, which the sketch was
// merged to, would.
FailureOr<void> check_for_losses(std::string_view sketch, const Text& file, std::string_view path,
                                 const std::vector<Replacement>& edits);

}  // namespace bodkin
