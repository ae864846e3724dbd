// Keeps a proposal's hunks true while the person types.
//
// Every change of the document moves the regions behind it; a change that touches a region makes
// the hunk say what it is from its bytes alone:
//
//     the region holds …    the old text     the new text     anything else
//     the hunk is           pending          applied          stale
//
// So the server needs nobody's word for what happened: a hunk that was taken through a code action,
// typed by hand or undone is seen as what it is. What was applied and has its old text again was
// undone: the person rejects it, it is `discarded` and not offered any more. Pure.
#pragma once

#include "lsp/sessions/proposal.h"

namespace bodkin {

// Takes a change of the document into the regions; `change` is in bytes of file.text.
void track(ProposedFile& file, const Replacement& change);
// After all changes of one notification: decides what the touched hunks are. True: one of them
// changed its state.
bool update_hunks(ProposedFile& file);

}  // namespace bodkin
