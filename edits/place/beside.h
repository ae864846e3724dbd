// What is beside a place says when a quote was cut short, or a line number is off:
//
//   the rest of the line      a part of a line is quoted, and the new half ends (begins) in what
//                             follows (precedes) that part: "f(a, " and "f(b, c);" in
//                             "f(a, c);". Written as it is, that would be there twice. A rest
//                             of closing brackets and quotes proves nothing: "x" in "f(x)" may
//                             become "g(x)".
//   the lines next to it      the new half goes on with the lines that follow the quote, or begins
//                             with those before it, of which nothing is quoted; so does an edit
//                             whose line numbers are off by one. The file has no such lines one
//                             after the other: lists of equal lines may grow.
// Neither is applied: the same place may have been meant with another extent.
#pragma once

#include "edits/place/match.h"

namespace bodkin {

// An empty doubt: nothing beside the place speaks against it.
PlaceDoubt doubt_beside(const MappedText& file, const Hunk& hunk, const Place& place);

}  // namespace bodkin
