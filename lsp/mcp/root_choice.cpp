#include "lsp/mcp/root_choice.h"

#include <cstdlib>
#include <set>

#include "agent/rpc/uri.h"
#include "agent/support/wire_json.h"
#include "lsp/mcp/served_folder.h"

namespace bodkin::mcp {

std::optional<Result<std::string>> root_of_answer(const nlohmann::json& answer) {
  std::set<std::string> folders;
  bool is_elsewhere = false;
  for (const nlohmann::json& root : at(answer, "roots")) {
    const std::string uri = string_at(root, "uri");
    if (const auto path = rpc::path_of_uri(uri))
      folders.insert(*path);
    else
      is_elsewhere = is_elsewhere || !uri.empty();
  }
  // The folder that bodkin was started in is not the one that the client means.
  if (folders.empty() && is_elsewhere) {
    return fail(Error::Code::invalid_input,
                "The client's folder is not one on this machine, so it is not served; start bodkin "
                "mcp --root DIR for a folder that is.");
  }
  if (folders.empty()) return std::nullopt;
  if (folders.size() > 1 || is_elsewhere) {
    return fail(Error::Code::ambiguous,
                "The client has several folders open, so it is not clear which one is meant; start "
                "bodkin mcp --root DIR for one of them.");
  }
  return servable(*folders.begin());
}

Result<std::string> own_root(const std::string& given) {
  if (!given.empty()) return servable(given);
  if (const char* project = std::getenv("CLAUDE_PROJECT_DIR"); project && *project)
    return servable(project);
  return servable(".");
}

}  // namespace bodkin::mcp
