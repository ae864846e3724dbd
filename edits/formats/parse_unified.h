// Unified diffs, plain or git's:
//
//   diff   := ["diff --git a/old b/new"] extended* ["--- " old "+++ " new] hunk*
//   extended := "new file mode …" | "deleted file mode …" | "rename from …" | "rename to …" | …
//   hunk   := "@@ -" start ["," count] " +" start ["," count] " @@" [heading] line*
//   line   := " " context | "-" removed | "+" added | (empty) | "\ No newline at end of file"
//
// Starts are hints and counts may be wrong ("@@ ... @@" and "@@" have none); a line that lost its
// prefix column is context. The last hunk of a text that stops in mid-line or in an open fence
// before the counts are reached is truncated. A diff in an indented fence, as in a list, is
// indented with it. A text that begins with a hunk needs no header if the call names the file
// (`default_path`). In edits, a fence that says "diff" and has no header is one hunk of the file
// that is named above it, if every line has its column. A combined diff ("@@@") has a column for
// each parent and is refused.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_unified;
IsLeftOver is_left_over_diff;  // a header without its file or its hunks

}  // namespace bodkin
