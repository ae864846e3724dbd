// A change of a file that nobody has reported: while it was closed, or bodkin did not run.
#pragma once

#include "lsp/sessions/proposal.h"

namespace bodkin {

// The text becomes `now`, and each hunk goes with its lines; none is applied by that. One whose
// lines are not certainly where they were is stale: of a copy and the original, nobody knows which
// is which. If all line ends were converted, so are those of the hunks, which is no other change.
// `files_decide`: what the user has undone is applied if it is there again, because the history may
// be of before the last undo or redo.
void take_unseen_change(ProposedFile& file, const Text& now, bool files_decide = false);

}  // namespace bodkin
