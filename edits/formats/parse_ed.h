// Scripts for ed(1), as `diff -e` writes them and as people do:
//
//   script  := command* ["w"] ["q"]
//   command := range "d" | range ("a" | "i" | "c") text* "."
//            | "s/.//" ["a" text* "."]      behind a text whose last line is "..": diff's way to
//                                           write a line that is "."
//   range   := line ["," line]              0 is before the first line; "$a" appends to the file
//
// ed counts lines as they are after the commands before, so diff -e goes from the bottom up. A
// script that goes down after it has changed the number of lines is refused: models write such
// ones with the numbers of the file that they read. Where scripts stand: edits/formats/script.h.
#pragma once

#include "edits/formats/reply.h"

namespace bodkin {

ParseFormat parse_ed;

}  // namespace bodkin
