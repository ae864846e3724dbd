#include "lsp/mcp/known_home.h"

#include <pwd.h>
#include <unistd.h>

namespace bodkin::mcp {

std::string known_home() {
  const struct passwd* entry = ::getpwuid(::geteuid());
  return entry && entry->pw_dir ? entry->pw_dir : "";
}

}  // namespace bodkin::mcp
