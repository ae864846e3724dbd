// Whether a sketch supports the resulting edit: it must show what is removed, and where new lines
// go.
#pragma once

#include <span>

#include "edits/lazy/lazy_match.h"
#include "edits/lazy/lazy_merge.h"

namespace bodkin {

// The first edit that the sketch does not support. An edit that removes more lines than it adds
// must be between two lines that the sketch shows next to each other; new lines must not be right
// below an elision and deeper than it, since then their block is unknown.
const LineEdit* unsupported_edit(const LazySide& sketch, const LazySide& file,
                                 std::span<const LineEdit> edits);

}  // namespace bodkin
