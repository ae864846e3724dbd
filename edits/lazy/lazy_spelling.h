// Restores the file's spelling in a sketch's lines: models shift parts to the margin, replace
// spaces by tabs, or use curly quotes in unchanged lines.
#pragma once

#include "edits/lazy/lazy_match.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// For each run between elisions: if hardly any line is the file's, but nearly all are except for
// indentation, and all are shifted alike, they become the file's, and the new lines are shifted
// with them. A line that differs from the file's only in typographic punctuation becomes the
// file's. A sketch without elisions is taken literally.
void restore_file_spelling(LazySide& sketch, const MappedText& file);

}  // namespace bodkin
