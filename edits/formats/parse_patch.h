// The patch format of Codex and GPT-4.1 ("V4A"):
//
//   patch  := ["*** Begin Patch"] file* "*** End Patch"
//   file   := "*** Add File: " path ("+" text)*
//           | "*** Delete File: " path
//           | "*** Update File: " path ["*** Move to: " path] hunk*
//   hunk   := ("@@" [" " anchor])* line* ["*** End of File"]
//   line   := " " context | "-" removed | "+" added | (empty: empty context) | unprefixed context
//
// Stacked "@@" lines are anchors, outermost first; "@@ -1,2 +1,2 @@" is a line hint. It may be
// surrounded by a fence, a heredoc (`apply_patch <<'EOF'`, `bash -lc "…"`) and prose. A patch
// without an end is truncated.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_patch;
IsLeftOver is_left_over_patch;  // "*** Modify File: a", "*** Move to: b"

// "@@ -12,3 +14,4 @@ heading": the old side's first line, from 0, if the header has one.
std::optional<size_t> hinted_line(std::string_view header);

}  // namespace bodkin
