// Detects a new half with display marks on its lines that the old half's lines do not have:
//
//   the columns of a diff   all lines begin with "+", "-" or a blank, and those that do not begin
//                           with "+" are the old half; or a line begins with "+" where no line of
//                           the file does: in code hardly any does, in its first column
//   line numbers            "12 | ", "12: ", "[12] ", … before all lines, counting up, and one of
//                           them is else an old line
//   a fence                 of its own around it, as in a reply
//
//   quoted or moved         a whole file, all of whose lines begin with ">" or a blank, and a line
//                           of the file that does not is among them
//
// Written as it is, the dress would be in the file. In prose, a line may begin with "+", and a
// fence may be meant.
#pragma once

#include "edits/place/leaves_out.h"
#include "edits/place/match.h"

namespace bodkin {

// An empty doubt: it is not.
PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, const Hunk& hunk);

// Likewise of a sketch, or of a text that takes the place of the whole file.
PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, std::string_view text,
                          bool is_whole);

}  // namespace bodkin
