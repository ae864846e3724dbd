// A reply that `bodkin apply` or `bodkin mcp` has applied already.
#pragma once

#include <functional>
#include <optional>

#include "edits/plan/report.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// The old lines of a reply that was applied are gone, and its new ones alone prove nothing. But if
// `place` makes of the texts before one of our own changes exactly what is there now, then that was
// it: the files as they were and are, and each hunk as already applied. Nothing: no change that is
// kept did that.
std::optional<ApplyReport> applied_before(const ConfinedFolder& folder,
                                          const std::function<ApplyReport(const Files&)>& place);

}  // namespace bodkin
