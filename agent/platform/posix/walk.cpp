#include "agent/platform/walk.h"

namespace bodkin {

bool walk(const std::string& folder,
          const std::function<Walk(const std::filesystem::directory_entry&)>& visit) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const Walk next = visit(*at);
    if (next == Walk::end) return true;
    if (next == Walk::not_below) at.disable_recursion_pending();
  }
  return !error;
}

}  // namespace bodkin
