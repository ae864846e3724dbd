// An ask that had to wait: what it points at has moved.
#pragma once

#include "agent/ask/ask.h"

namespace bodkin {

// Its selection and diagnostics, of the text `before`, become those of `now`. Lines that were
// changed since go with what took their place. Pure.
void move_places(Ask& ask, const Text& before, const Text& now);

}  // namespace bodkin
