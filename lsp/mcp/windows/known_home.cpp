#include "lsp/mcp/known_home.h"

#include "agent/support/user_folders.h"

namespace bodkin::mcp {

std::string known_home() { return absolute_variable("USERPROFILE"); }

}  // namespace bodkin::mcp
