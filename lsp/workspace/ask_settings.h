// The settings that say what an ask may use, for the server and the command line.
#pragma once

#include <memory>

#include "agent/ask/limits.h"
#include "agent/history/history.h"
#include "agent/sandbox/verifier.h"
#include "agent/tools/mcp.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

// agent.max*, agent.permissions with what was allowed in the workspace of these roots and, in a
// trusted folder, where the model's commands run and the user's MCP servers, to which `mcp` is set.
// Not the mode.
Limits limits_of(const Settings& settings, bool trusted, const Roots& roots,
                 const std::shared_ptr<UnconfinedConsent>& consent,
                 const std::shared_ptr<Mcp>& mcp);

// Runs verify.command; in a folder that is not trusted it only says that it does not. Null: there
// is no such command. `editor` is asked before it runs without a sandbox, and outlives the
// verifier; it may be null.
std::unique_ptr<Verifier> verifier_of(const Settings& settings, bool trusted, Editor* editor,
                                      std::shared_ptr<UnconfinedConsent> consent);

HistoryLimits history_limits(const Settings& settings);  // history.*

}  // namespace bodkin::lsp
