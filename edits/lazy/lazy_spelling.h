// A sketch's lines as the file spells them: models move a part to the margin, write tabs for
// spaces, or use curly quotes in lines that stay.
#pragma once

#include "edits/lazy/lazy_match.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// For each run between elisions: if hardly any line is the file's, but nearly all are except for
// indentation, and all are shifted alike, they become the file's, and the new lines are shifted
// with them. A line that differs from the file's only in typographic punctuation becomes the
// file's. A sketch without elisions is taken literally.
void respell(LazySide& sketch, const MappedText& file);

}  // namespace bodkin
