// How much of a compiler an edit of C or C++ needs: which edits have no effect in the bodies of
// functions that their headers define, so that a look without these is enough, and which may have
// errors that are found only when code is generated. Pure.
#pragma once

#include "edits/plan/report.h"

namespace bodkin {

// The edit changes only statements within functions, before and after, that are operators between
// numbers: anything else may instantiate a template. In doubt, false.
bool is_plain_edit(const ChangedFile& file);

// The edit lies after the last #include, so that the headers see what they saw: for C, which has
// no templates.
bool leaves_headers(const ChangedFile& file);

// The edit is in a statement of assembly, or in an attribute that decides what is generated; or
// the file has an alias, whose target may be what is edited.
bool needs_generated_code(const ChangedFile& file);

}  // namespace bodkin
