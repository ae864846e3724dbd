// bodkin trust: the folder becomes one of those that the user trusts.
#include <fmt/format.h>

#include <cstdio>

#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/workspace/settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {

int trust_command(const std::string& root) {
  const auto say = [](const std::string& words) { say_as("trust", words); };
  const auto folder = ConfinedFolder::open(root_of({.root = root}));
  if (!folder) return say(folder.error().message), 2;
  lsp::Settings own = lsp::own_settings();
  const std::string path = plain_line(folder->path());
  const std::string file = plain_line(lsp::config_folder()) + "/settings.json";
  if (lsp::Trust(own.list("workspace.trusted")).covers(Roots{{"workspace", folder->path()}})) {
    put(stdout, folded(fmt::format("{} is already trusted: it, or a folder above it, is in "
                                   "bodkin.workspace.trusted in {}.",
                                   path, file)) +
                    "\n");
    return 0;
  }
  if (const auto done = lsp::trust_folder(folder->path()); !done)
    return say(plain_line(done.error().message)), 1;
  put(stdout, folded(fmt::format("{} is now trusted: commands run there, in the sandbox and as "
                                 "your permissions say. It was added to bodkin.workspace.trusted "
                                 "in {}; to undo that, remove it there.",
                                 path, file)) +
                  "\n");
  return 0;
}

}  // namespace bodkin
