// WorkspaceEdit: a proposal in the form that the editor applies. Versioned, minimal (one TextEdit
// per run of changed lines), ascending, disjoint, never snippets; files are created before their
// text is inserted, and one that only moves is renamed (lsp/README.md, "Preview").
#pragma once

#include "lsp/protocol/capabilities.h"
#include "lsp/sessions/proposal.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

// LSP's TextEdit.
Json text_edit(const Text& text, const Replacement& change, Encoding encoding);

// The pending hunks, or those of them that `only` lists.
Json workspace_edit(const Proposal& proposal, const std::vector<size_t>* only,
                    const Documents& documents, const Capabilities& client);

// [{"index","uri","range","newText","quality","kind"?:"create"}]: each a TextEdit of the current
// document, of the hunks in this state.
Json hunks_of(const ProposedFile& file, const Documents& documents,
              ProposedHunk::State state = ProposedHunk::State::pending);

}  // namespace bodkin::lsp
