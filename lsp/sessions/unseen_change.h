// A change of a file that nobody has reported: while it was closed, or bodkin did not run.
#pragma once

#include "lsp/sessions/proposal.h"

namespace bodkin {

// The text becomes `now`, and each hunk goes with its lines; none becomes applied by that. A hunk
// is stale if its lines are not certainly where they were: nobody can tell a copy from the
// original. If all line ends were converted, so are those of the hunks, which is no other change.
// `files_decide`: a hunk the user has undone is applied if it is there again, because the history
// may be of before the last undo or redo.
void take_unseen_change(ProposedFile& file, const Text& now, bool files_decide = false);

}  // namespace bodkin
