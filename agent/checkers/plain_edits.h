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

// The edit lies after the last #include, so that the headers see what they saw: for C, which has
// no templates.
bool leaves_headers(const ChangedFile& file);

// The file has assembly, an alias, whose target may be what is edited, or a function of one
// instruction, which the processor may not have; or the edit has an attribute that decides what is
// generated.
bool needs_generated_code(const ChangedFile& file);

// The text declares a function, or a macro that declares one, which must not be called
// (`__attribute__((error("…")))`): whether a call is left is known when code is generated.
bool forbids_calls(std::string_view text);
// The text calls one of those functions whose arguments glibc checks so, if it is told to
// (_FORTIFY_SOURCE).
bool calls_fortified(std::string_view text);

}  // namespace bodkin
