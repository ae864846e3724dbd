// Whether a sketch shows what is made of it: what goes must be seen to go, and what comes to come there.
#pragma once

#include <span>

#include "edits/lazy/lazy_match.h"
#include "edits/lazy/lazy_merge.h"

namespace bodkin {

// The first edit that the sketch does not bear out. One that takes away more lines than it brings must
// be between two lines that the sketch shows next to each other; what is new must not stand right
// below an elision and deeper than it, for then nobody shows in which block it is.
const LineEdit* unseen_edit(const LazySide& sketch, const LazySide& file,
                            std::span<const LineEdit> edits);

}  // namespace bodkin
