// The settings that say what an ask may use, for the server and the command line.
#pragma once

#include <memory>
#include <vector>

#include "agent/ask/limits.h"
#include "agent/checkers/draft_checker.h"
#include "agent/history/history.h"
#include "agent/sandbox/verifier.h"
#include "agent/tools/mcp.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

// The state that asks share; limits_of sets each to the settings.
struct Shared {
  std::shared_ptr<UnconfinedConsent> consent = std::make_shared<UnconfinedConsent>();
  std::shared_ptr<Mcp> mcp;
  std::vector<McpServer> more_servers = {};  // beside those of the settings; their names differ
  std::shared_ptr<DraftChecker> checker = std::make_shared<DraftChecker>();
};

// agent.max*, agent.permissions with what was allowed in the workspace of these roots, who checks
// the draft and, in a trusted folder, where the model's commands run, the user's MCP servers and
// `shared`'s.
// Not the mode.
Limits limits_of(const Settings& settings, bool trusted, const Roots& roots, const Shared& shared);

CheckerSettings checker_settings(const Settings& settings, bool trusted);  // verify.server*

// Runs verify.command; in a folder that is not trusted, or if the setting is no command, it only
// says that it does not. Null: there is no such command. `editor` is asked before it runs without a
// sandbox, and outlives the verifier; it may be null.
std::unique_ptr<Verifier> verifier_of(const Settings& settings, bool trusted, Editor* editor,
                                      std::shared_ptr<UnconfinedConsent> consent);

HistoryLimits history_limits(const Settings& settings);  // history.*

}  // namespace bodkin::lsp
