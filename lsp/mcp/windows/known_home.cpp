#include "lsp/mcp/known_home.h"

#include "agent/platform/paths.h"

namespace bodkin::mcp {

std::string known_home() {
  const char* profile = os::getenv("USERPROFILE");
  return profile ? os::inner_form(profile) : "";
}

}  // namespace bodkin::mcp
