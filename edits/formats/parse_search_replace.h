// SEARCH/REPLACE blocks of both families, with Roo's additions:
//
//   block   := [path] [fence] start hint* half divider half end [fence]
//   start   := "<<<<<<< SEARCH" | "------- SEARCH"      3 or more signs, indented, "SEARCH>"
//   hint    := ":start_line:" N | ":end_line:" N | "-------"
//   divider := "======="                                5 or more, 3 where the block has no other
//   end     := ">>>>>>> REPLACE" | "+++++++ REPLACE"    3 or more
//   tagged  := '<file-edit filePath="' path '">' block* "</file-edit>", "<chat>" prose "</chat>"
//
// Path: above the block (also inside its fence, and in words: edits/formats/path_in_words.h), or
// the tag's, or that of the block before. An empty first half creates the file. If it exists, the
// dash family's replaces it whole; in the other family the second half does if it has most of its
// lines, is added at its end if it repeats none, and else is refused. With ":start_line:" it is an
// insertion before that line, and an ":end_line:" further down, which says that lines go, is
// refused. A line "\=======" (Roo)
// means "=======". Any line of '=' may be content: every split is an alternative, and the engine
// uses the one whose first half is in the file.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_search_replace;

IsLeftOver is_left_over_block;  // a start or end marker, or meant as one

}  // namespace bodkin
