// Adjusts an ask that was queued to text that changed meanwhile.
#pragma once

#include "agent/ask/ask.h"

namespace bodkin {

// Its selection and diagnostics, of the text `before`, become those of `now`. Lines that were
// changed since are mapped to their replacements. Pure.
void move_places(Ask& ask, const Text& before, const Text& now);

}  // namespace bodkin
