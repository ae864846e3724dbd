// RCS diffs, as `diff -n` writes them:
//
//   script  := command*
//   command := "d" line " " count              deletes `count` lines from `line` on
//            | "a" line " " count text{count}  inserts the following `count` lines after `line`
//
// All numbers refer to the old file, and the counts are exact: a text that ends early is truncated.
// Where scripts occur: edits/formats/script.h.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_rcs;

}  // namespace bodkin
