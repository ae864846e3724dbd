// How much of a compiler's work an edit of C or C++ needs: which edits have the same effect in all
// units, which have none in headers, and which may have errors found only when code is generated.
// Pure.
#pragma once

#include "edits/plan/report.h"

namespace bodkin {

// True if the edit changes only the bodies of functions that are compiled where they are defined,
// and so the same wherever the file is included: not of templates, nor of functions whose result is
// a constant or decides a type. In doubt, false.
bool changes_bodies_alone(const ChangedFile& file);

// True if the edit is after the last #include, so that the headers see what they saw: for C, which
// has no templates.
bool leaves_headers(const ChangedFile& file);

// True if the file has assembly, an alias, whose target may be edited, or a function of one
// instruction, which the processor may not have; or the edit has an attribute that affects code
// generation.
bool needs_generated_code(const ChangedFile& file);

// True if the text declares a function, or a macro that declares one, which must not be called
// (`__attribute__((error("…")))`): only code generation shows whether a call is left.
bool forbids_calls(std::string_view text);
// True if the text calls a function whose arguments glibc checks in this way, if told to
// (_FORTIFY_SOURCE).
bool calls_fortified(std::string_view text);

}  // namespace bodkin
