// The checks of a placed hunk before it is written: one list for all formats (`kChecks`). Each asks
// whether the same text, or the same place, may have been meant otherwise:
//
//   cuts words         all places of a word are asked for, and some are parts of longer words
//   is made already    the place begins or ends with the new text
//   is dressed         the new half has marks of display that the old half has not: the columns of
//                      a diff, line numbers that count up, a fence around it
//   repeats neighbours it goes on with the lines that follow the quote, or begins with those before
//                      it, of which nothing is quoted, and the file has no such lines one after the
//                      other; so does an edit whose line numbers are off by one
//   repeats the rest   a part of a line is quoted, and the new half ends in what follows that part:
//                      "f(a, " and "f(b, c);" in "f(a, c);". A rest of closing brackets and quotes
//                      proves nothing: "x" in "f(x)" may become "g(x)"
//   leaves lines out   "... existing code ..." would be written
//
// What the quote does not name and would be lost, and a depth that is not known, is refused when
// the lines are made (edits/align/rewrite.h); hunks that change the same lines by `mark_overlaps`;
// what breaks the syntax at a doubtful place by `veto_by_syntax`.
#pragma once

#include <optional>
#include <string>

#include "edits/place/leaves_out.h"
#include "edits/place/match.h"

namespace bodkin {

struct PlacedHunk {
  const MappedText& file;
  const FileKind& kind;
  const Hunk& hunk;  // as it was sent
  const Place& place;
};

// Why the hunk is not written there; nothing: no check speaks against it.
std::optional<Failure> doubt_of(const PlacedHunk& it, const std::string& path);

// An empty doubt, or the marks of display of a sketch, or of a text that takes the place of the
// whole file: all lines begin with ">" or a blank, and a line of the file that does not is among
// them.
PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, std::string_view text,
                          bool is_whole);

}  // namespace bodkin
