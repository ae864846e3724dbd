// The settings that say what an ask may use, for all doors: the server, ACP and the command line.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "agent/checkers/draft_checker.h"
#include "agent/tools/mcp.h"
#include "lsp/sessions/ask_request.h"
#include "lsp/sessions/ask_session.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

// AskRules: the state that the asks of one workspace share, as its settings say. Main thread only;
// the results are used on the asks' threads.
class AskRules {
 public:
  // `settings` outlives this. `told`: a sentence for the user about an MCP server, on any thread;
  // may be empty.
  AskRules(const Settings& settings, std::function<void(const std::string& sentence)> told);

  // The settings' mode, until it is set; running asks follow it.
  Mode mode() const { return *mode_; }
  void set_mode(Mode mode) { *mode_ = mode; }
  void settings_changed();  // the mode is theirs again
  // Whether edits in which no check found a problem are applied without review.
  bool applies_at_once() const;
  // MCP servers in addition to those of the settings, with different names. None starts in a folder
  // that is not trusted.
  void set_more_servers(std::vector<McpServer> servers) { more_servers_ = std::move(servers); }

  // Its profile, dialect, edit format and effort, where they are empty, by the settings and the
  // mode.
  void complete(AskRequest& request) const;

  // For one ask, whose permissions include what was allowed in the workspace of these roots.
  // `editor` is asked before verify.command runs without a sandbox; it may be null, and outlives
  // the result.
  AskSetup set_up(bool trusted, const Roots& roots, Editor* editor) const;
  Limits limits(bool trusted, const Roots& roots) const;
  std::shared_ptr<DraftChecker> checker(bool trusted) const;  // with the settings as they are now

 private:
  std::unique_ptr<Verifier> verifier(bool trusted, Editor* editor) const;

  const Settings& settings_;
  const std::shared_ptr<std::atomic<Mode>> mode_ =
      std::make_shared<std::atomic<Mode>>(Mode::confirm);
  const std::shared_ptr<UnconfinedConsent> consent_ = std::make_shared<UnconfinedConsent>();
  const std::shared_ptr<Mcp> mcp_;
  std::vector<McpServer> more_servers_;
  const std::shared_ptr<DraftChecker> checker_ = std::make_shared<DraftChecker>();
};

CheckerSettings checker_settings(const Settings& settings, bool trusted);  // verify.server*
HistoryLimits history_limits(const Settings& settings);                    // history.*

}  // namespace bodkin::lsp
