#include "agent/tools/waiting_rg.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "agent/support/walk.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxWalked = 1'000'000;
constexpr const char* kIgnoreFiles[] = {".ignore", ".rgignore", ".gitignore", ".git/info/exclude"};

struct TrappedRoots {
  std::mutex mutex;
  std::set<std::string> folders;
};
TrappedRoots& roots_with_pipes() {
  static TrappedRoots roots;
  return roots;
}

bool has_pipe(const fs::path& folder) {
  return std::ranges::any_of(kIgnoreFiles, [&](const char* name) {
    std::error_code error;
    const fs::file_status status = fs::status(folder / name, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  });
}

}  // namespace

bool would_rg_hang(const std::string& root, const std::string& folder) {
  {
    TrappedRoots& known = roots_with_pipes();
    const std::lock_guard lock(known.mutex);
    if (known.folders.contains(root)) return true;
  }
  fs::path place(folder);
  for (; place != place.parent_path(); place = place.parent_path()) {
    if (has_pipe(place)) return true;
  }
  return has_pipe(place);
}

void remember_rg_hang(const std::string& root, const std::stop_token& stop) {
  size_t walked = 0;
  walk(root, [&](const fs::directory_entry& entry) {
    if (stop.stop_requested() || ++walked > kMaxWalked) return Walk::end;
    std::error_code ignored;
    if (!entry.is_directory(ignored) || !has_pipe(entry.path())) return Walk::on;
    TrappedRoots& known = roots_with_pipes();
    const std::lock_guard lock(known.mutex);
    known.folders.insert(root);
    return Walk::end;
  });
}

}  // namespace bodkin
