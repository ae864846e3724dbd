// The checks of a result: one step that every format's result passes before it is written, and one
// list of questions (`kChecks`). Each compares the lines that go and come with those around them;
// none knows a format, but some ask whether the text is all of a file.
//
//   cut      all places of a word are asked for, and some are parts of longer words
//   made     a place within a line begins or ends with the new text
//   dressed  the new text has marks of an edit, or of display: the columns of a diff, line numbers
//            that count up, a fence
//   doubled  it goes on with the lines that follow the quote, or begins with those before it, of
//            which nothing is quoted, and the file has no such lines one after the other; so does
//            an edit whose line numbers are off by one. Or it ends in what follows a part of a
//            line: "f(a, " and "f(b, c);" in "f(a, c);"; a rest of closing brackets and quotes
//            proves nothing: "x" in "f(x)" may become "g(x)"
//   lost     "... existing code ..." would be written; or the text of a whole file only quotes it,
//            begins or stops in its middle, or has a remark for many lines at its end
//   binary   the new text has a NUL byte, and the file has none
//
// `refuse_broken_syntax` (doubtful_syntax.h), which needs all edits of a file, is separate. Losing
// lines that the quote does not name, and an unknown depth, are refused when the lines are made
// (edits/align/rewrite.h); hunks that change the same lines, by `mark_overlaps`.
#pragma once

#include <optional>
#include <string>

#include "edits/place/leaves_out.h"
#include "edits/place/match.h"

namespace bodkin {

struct EditResult {
  const std::string& path;
  const FileKind& kind;
  const MappedText& file;  // as it was; without a line if it is new
  const Hunk& hunk;        // as it was sent; of a whole file or a sketch the line diff
  const Place& place;
  enum class Shows { part, sketch, file } shows = Shows::part;

  // The hunk as it will be written.
  const Hunk& written() const { return place.hunk ? *place.hunk : hunk; }
};

// Why it is not written; nullopt if no check objects.
std::optional<Failure> check_result(const EditResult& it);

// True if the first (last) line that the hunk adds equals the file's line above (below) the place,
// blank ones aside. That may be meant, unless it breaks the syntax (doubtful_syntax.h).
bool repeats_neighbour(const EditResult& it);

}  // namespace bodkin
