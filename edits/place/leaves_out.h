// Does the new half of a change leave out lines that its old half has?
//
// What elides is never written: the model did not mean "// rest unchanged" to stand in the file,
// and the lines for which it stands would be lost. Beyond doubt, a line that elides is refused
// wherever it comes. One that may be a comment of its own is an elision where more lines go than
// come. What the file has itself, prose, and the "..." of Python are no elisions.
#pragma once

#include <string_view>

#include "edits/plan/plan.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// What the name says about the text.
struct FileKind {
  bool prose = false, python = false, yaml = false;
  bool needs_tabs =
      false;  // a tab means more than blanks, or is what the language's own tools write
};
FileKind kind_of(std::string_view path);

// `above`: the file's line above the hunk. `file` may be null: it is made.
bool leaves_out(const Hunk& hunk, std::string_view above, const FileKind& kind,
                const MappedText* file);

}  // namespace bodkin
