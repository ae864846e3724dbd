// From the arguments of bodkin.ask, fix and copyPrompt to an Ask. Main thread only.
#pragma once

#include "agent/run.h"
#include "lsp/arguments.h"
#include "lsp/diagnostics.h"
#include "lsp/review.h"
#include "lsp/settings.h"

namespace bodkin::lsp {

struct AskWorld {
  const Documents& documents;
  const DiagnosticsBridge& bridge;
  const Review& review;
  const Settings& settings;
};

// `fix`: mend the diagnostics that the arguments have, or those that the editor reports at its
// place. Errors, for the person: invalid_input, not_found, stale (a proposal that cannot be
// refined).
Result<Ask> ask_of(const Arguments& arguments, bool fix, const AskWorld& world);

}  // namespace bodkin::lsp
