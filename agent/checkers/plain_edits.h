// Which edits of C and C++ have no effect in the bodies of functions that their headers define, so
// that a look without these is enough. Pure; when in doubt, false.
#pragma once

#include "edits/plan/report.h"

namespace bodkin {

// The edit changes only statements within functions, before and after, that are operators between
// numbers: anything else may instantiate a template.
bool is_plain_edit(const ChangedFile& file);

// The edit lies behind the last #include, so that the headers see what they saw: for C, which has
// no templates.
bool leaves_headers(const ChangedFile& file);

}  // namespace bodkin
