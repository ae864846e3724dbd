// Scripts for ed(1), as written by `diff -e` or by hand:
//
//   script  := command* ["w"] ["q"]
//   command := range "d" | range ("a" | "i" | "c") text* "."
//            | "s/.//" ["a" text* "."]      after text whose last line is "..": how diff writes a
//                                           line "."
//   range   := line ["," line]              0 is before the first line; "$a" appends to the file
//
// ed counts lines after the preceding commands, so diff -e goes from the bottom up. A script that
// goes down after changing the number of lines is refused: models write these with the numbers of
// the original file. Where scripts occur: edits/formats/script.h.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_ed;

}  // namespace bodkin
