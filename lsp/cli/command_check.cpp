// bodkin check: what works here.
#include <cstdio>

#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/editor/setup_check.h"
#include "lsp/folder/ask_folder.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {

namespace {

std::string words_of_trust(const Result<ConfinedFolder>& folder, bool is_trusted) {
  if (!folder) return folder.error().message;
  if (lsp::is_home(folder->path()))
    return folder->path() + " is your home folder; bodkin trust FOLDER trusts one in it.";
  if (is_trusted) return folder->path() + " is trusted.";
  return folder->path() +
         " is not trusted: commands do not run there. bodkin trust, or your editor, changes that.";
}

}  // namespace

int check_command(const CheckCommand& options) {
  const ModelSettings settings =
      lsp::user_model_settings(options.provider, options.endpoint, options.model);
  lsp::Settings own = lsp::own_settings();
  const auto say = [](const std::string& line) {
    put(stdout, wrapped(plain_line(line), text_width(1), 11) + "\n");
    std::fflush(stdout);
  };
  if (own.is_unreadable()) {  // no model would be asked
    const std::vector<std::string> problems = own.problems();
    if (!problems.empty()) say("settings   " + problems[0]);
    return 1;
  }
  const McpSettings mcp =
      mcp_settings(own.value("agent.mcpServers"), own.list("model.insecureHosts"));
  const std::string root = root_of({});
  const auto folder = ConfinedFolder::open(root);
  const bool is_home = folder && lsp::is_home(folder->path());
  Roots roots;
  if (folder && !is_home)
    roots = Roots{{"workspace", folder->path()}};  // a home has too many files
  // The user's own programs may be below the home folder, or a folder without a repository (/usr).
  if (folder && !is_home && root != ".") never_run_from(folder->path());
  const bool is_trusted = folder && lsp::Trust(own.list("workspace.trusted")).covers(roots);
  const SetupWorkspace workspace{roots, is_trusted, own.value("verify.servers")};
  const bool ok = check_setup(settings, mcp.servers, workspace, nullptr, {}, say);
  if (const std::string words = lsp::predicting_words(own, nullptr, {}); !words.empty())
    say("next edits " + words);
  for (const std::string& problem : problems_of(own)) say("settings   " + problem);
  say("trust      " + words_of_trust(folder, is_trusted));
  return ok ? 0 : 1;
}

}  // namespace bodkin
