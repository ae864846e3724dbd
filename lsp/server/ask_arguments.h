// Turns the arguments of bodkin.ask, fix and copyPrompt into an Ask: converts URIs to paths, ranges
// to lines, and LSP diagnostics to ours. Main thread only.
#pragma once

#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/protocol/arguments.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::lsp {

struct AskWorld {
  const Documents& documents;
  const DiagnosticsBridge& bridge;
  Proposals& proposals;
  const Settings& settings;
  const AskRules& rules;
};

// `fix`: to fix the diagnostics in the arguments, or those that the editor reports at the range.
// Errors, for the user: invalid_input, not_found, stale (a proposal that cannot be
// refined).
Result<Ask> ask_of(const Arguments& arguments, bool fix, const AskWorld& world);

}  // namespace bodkin::lsp
