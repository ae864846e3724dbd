// bodkin check: what works here.
#include <cstdio>

#include "agent/support/shown_text.h"
#include "lsp/cli/commands.h"
#include "lsp/editor/setup_check.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin {

int check_command(const CheckCommand& options) {
  ModelSettings settings = lsp::user_model_settings(options.provider, options.endpoint);
  if (!options.model.empty()) settings.name = options.model;
  lsp::Settings own;
  own.set(lsp::Settings::Layer::user_file, lsp::user_settings());
  for (const std::string& problem : own.problems())
    put(stdout, wrapped("settings   " + problem, 79, 11) + "\n");
  for (const std::string& problem : lsp::model_problems(own))
    put(stdout, wrapped("settings   " + problem, 79, 11) + "\n");
  const McpSettings mcp = mcp_settings(own.value("agent.mcpServers"));
  const bool ok = check_setup(settings, mcp.servers, nullptr, {}, [](const std::string& line) {
    put(stdout, wrapped(line, 79, 11) + "\n");
    std::fflush(stdout);
  });
  return ok ? 0 : 1;
}

}  // namespace bodkin
