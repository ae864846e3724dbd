#include "agent/sandbox/sandbox_files.h"

#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"

namespace bodkin {

namespace {

constexpr size_t kMaxWalked = 1'000'000;

}  // namespace

Result<LayerFindings> find_private(const std::string& folder, const std::stop_token& stop) {
  const IgnoreLists ignored(folder);
  LayerFindings found;
  size_t walked = 0;
  walk(folder, [&](const std::filesystem::directory_entry& entry) {
    if (stop.stop_requested() || ++walked > kMaxWalked) return Walk::end;
    const std::string path = path_in(os::text_of(entry.path()), folder);
    if (entry.path().filename() == ".git") return found.git.push_back(path), Walk::not_below;
    if (!is_secret(path) && !ignored.ignores(path)) return Walk::on;
    found.secrets.push_back(path);
    return Walk::not_below;
  });
  if (stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
  if (walked > kMaxWalked)
    return fail(Error::Code::unavailable, "the folder has too many files to look for private ones");
  return found;
}

}  // namespace bodkin
