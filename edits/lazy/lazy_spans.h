// Blocks that the grammar does not see in a sketch, since an elision is a comment to it.
#pragma once

#include <string_view>

#include "edits/lazy/lazy_match.h"

namespace bodkin {

// A key of YAML goes on over the elisions below it that are deeper: to the grammar these are
// comments that belong to nothing. A key with nothing else below it is not a block there.
void span_keys(LazySide& sketch, std::string_view kind);

// What a bracket at the end of a line opens and one at the beginning of a line as deep closes is a
// block like others: an object, the arguments of a call. A declaration's body begins there if the
// grammar knows of none.
void span_brackets(LazySide& sketch, LazySide& file);

}  // namespace bodkin
