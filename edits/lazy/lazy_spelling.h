// A sketch's lines as the file spells them: models move a piece to the margin, write tabs for blanks,
// or curl the quotes of lines that stay.
#pragma once

#include "edits/lazy/lazy_match.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// In each run between elisions. Where hardly a line is the file's, but nearly all are but for their
// indentation, and all are moved in one way, they become the file's, and the new lines are moved
// with them. A line that differs from the file's in typographic punctuation only becomes the file's.
// A sketch that elides nothing is meant as it is.
void respell(LazySide& sketch, const MappedText& file);

}  // namespace bodkin
