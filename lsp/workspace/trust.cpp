#include "lsp/workspace/trust.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "agent/support/real_path.h"

namespace bodkin::lsp {

bool is_home(const std::string& folder) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  return home && *home && std::filesystem::equivalent(home, folder, error);
}

Trust::Trust(std::vector<std::string> folders) : folders_(std::move(folders)) {
  const char* home = std::getenv("HOME");
  for (std::string& folder : folders_) {
    if (home && (folder == "~" || folder.starts_with("~/"))) folder.replace(0, 1, home);
  }
}

// Decides: whether a folder is trusted.
bool Trust::covers(const Roots& roots) const {
  if (said_) return *said_;
  return !roots.empty() && std::ranges::all_of(roots, [&](const Root& root) {
    return std::ranges::any_of(
        folders_, [&](const std::string& folder) { return lies_in(root.folder, folder); });
  });
}

}  // namespace bodkin::lsp
