// Keeps a proposal's hunks up to date while the user types.
//
// Every change of the document moves the regions after it. After a change that touches a region,
// its bytes determine the state of the hunk:
//
//     the region holds …    the old text     the new text               anything else
//     the hunk is           pending          applied, if it was seen    stale
//
// So the server need not be told what happened: a hunk that one change put in place, such as a code
// action or the editor's redo, and one that was undone are recognized. That a text only equals the
// new one, because it was typed or comes from another proposal, is not enough: an undo would take
// what is not the hunk's. One that was applied and has its old text again was undone: the user has
// rejected it, so it is `discarded` and no longer offered. One that is applied
// and was formatted since (formatting.h) stays so, and its new text is what the formatter made.
//
// Lines that replace none have an empty region, which holds their old text anywhere. If lines next
// to it go, the text that was next to it says where it is (InsertionAnchor), or it is stale. If a
// text in which the places were known comes back, as after the editor's undo, they are known again.
// Pure.
#pragma once

#include <functional>

#include "lsp/sessions/proposal.h"

namespace bodkin {

// Applies a change of the document to the text and the regions; `change` is in bytes of file.text.
void track(ProposedFile& file, const Replacement& change);
// Call it after all changes of one notification: determines the states of the touched hunks. True:
// one of them has changed. `is_own`: whether a hunk whose region holds its new text, and did not
// before, was applied.
using IsOwn = std::function<bool(const ProposedHunk&)>;
bool update_hunks(ProposedFile& file, const IsOwn& is_own);
// Gives the hunks the places that they had in this text before. Returns whether one was stale.
bool settle_again(ProposedFile& file);
// It came with one change, or came back.
bool was_seen(const ProposedHunk& hunk);

}  // namespace bodkin
