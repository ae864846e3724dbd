// The patch format of Codex and GPT-4.1 ("V4A"):
//
//   patch  := ["*** Begin Patch"] file* "*** End Patch"
//   file   := "*** Add File: " path ("+" text)*
//           | "*** Delete File: " path ("-" text)*
//           | "*** Update File: " path ["*** Move to: " path] hunk*
//   hunk   := ("@@" [" " anchor])* line* ["*** End of File"]      line: edits/formats/hunk_lines.h
//
// Stacked "@@" lines are anchors, outermost first; "@@ -1,2 +1,2 @@" is a line hint. The whole may
// be indented, and be surrounded by a fence, a heredoc (`apply_patch <<'EOF'`, `bash -lc "…"`) and
// prose. Blank lines before a marker lay the patch out and quote nothing. A deletion that shows
// lines must show all of the file. A patch without an end is truncated.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_patch;
IsLeftOver is_left_over_patch;  // "*** Modify File: a", "*** Move to: b"

}  // namespace bodkin
