// Keeps a proposal's hunks up to date while the user types.
//
// Every change of the document moves the regions after it. After a change that touches a region,
// its bytes alone determine the state of the hunk:
//
//     the region holds …    the old text     the new text     anything else
//     the hunk is           pending          applied          stale
//
// So the server need not be told what happened: a hunk that was applied through a code action,
// typed by hand or undone is recognized. One that was applied and has its old text again was
// undone: the user has rejected it, so it is `discarded` and no longer offered. One that is applied
// and was formatted since (formatting.h) stays so, and its new text is what the formatter made.
//
// Lines that replace none have an empty region, which holds their old text anywhere. Where lines
// beside it went, the text that was beside it says where it is (InsertionAnchor), or it is
// stale. Pure.
#pragma once

#include "lsp/sessions/proposal.h"

namespace bodkin {

// Applies a change of the document to the text and the regions; `change` is in bytes of file.text.
void track(ProposedFile& file, const Replacement& change);
// Call it after all changes of one notification: determines the states of the touched hunks. True:
// one of them has changed.
bool update_hunks(ProposedFile& file);

}  // namespace bodkin
