// Rust's constants that the compiler evaluates only when it generates code: those of generic code,
// for each set of arguments. `cargo check` does not find that one of them panics or overflows.
#pragma once

#include "edits/text/text.h"

namespace bodkin {

// True if the Rust source has a constant that may fail for some arguments of generic code. In
// doubt, true.
bool may_fail_when_generated(const Text& source);

}  // namespace bodkin
