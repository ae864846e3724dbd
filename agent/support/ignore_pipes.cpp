#include "agent/support/ignore_pipes.h"

#include <algorithm>
#include <filesystem>

#include "agent/platform/paths.h"
#include "agent/platform/walk.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxWalked = 1'000'000;
constexpr const char* kIgnoreFiles[] = {".gitignore", ".ignore", ".rgignore"};

bool is_pipe(const fs::directory_entry& file) {
  std::error_code error;
  return file.exists(error) && !file.is_regular_file(error) && !file.is_directory(error);
}

}  // namespace

bool has_ignore_pipe(const std::string& folder, const std::stop_token& stop) {
  for (fs::path above(folder); above.has_relative_path(); above = above.parent_path())
    for (const char* name : {".gitignore", ".ignore", ".rgignore", ".git/info/exclude"}) {
      std::error_code error;
      if (is_pipe(fs::directory_entry(above / name, error))) return true;
    }
  size_t walked = 0;
  bool found = false;
  walk(folder, [&](const fs::directory_entry& entry) {
    if (stop.stop_requested() || ++walked > kMaxWalked) return Walk::end;
    const std::string& path = os::text_of(entry.path());
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name == ".git") return Walk::not_below;
    if (!name.starts_with('.') || std::ranges::find(kIgnoreFiles, name) == std::end(kIgnoreFiles))
      return Walk::on;
    found = is_pipe(entry);
    return found ? Walk::end : Walk::on;
  });
  return found;
}

}  // namespace bodkin
