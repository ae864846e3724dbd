// From the arguments of bodkin.ask, fix and copyPrompt to an Ask: URIs become paths, ranges lines,
// and LSP's diagnostics ours. Main thread only.
#pragma once

#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/protocol/arguments.h"
#include "lsp/sessions/ask_request.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

struct AskWorld {
  const Documents& documents;
  const DiagnosticsBridge& bridge;
  Proposals& proposals;
  const Settings& settings;
};

// `fix`: mend the diagnostics that the arguments have, or those that the editor reports at its
// place. Errors, for the user: invalid_input, not_found, stale (a proposal that cannot be
// refined).
Result<Ask> ask_of(const Arguments& arguments, bool fix, const AskWorld& world);

}  // namespace bodkin::lsp
