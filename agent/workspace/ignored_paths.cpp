#include "agent/workspace/ignored_paths.h"

#include <algorithm>

#include "agent/platform/files.h"
#include "agent/support/opened.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"

namespace bodkin {

namespace {

constexpr size_t kMaxRules = 1 << 20;  // bytes of a .gitignore

// Tools can make these again: folders of these names, and those in which such a file lies.
constexpr std::string_view kBuildFolders[] = {"node_modules", "__pycache__"};
constexpr const char* kBuildMarkers[] = {"CACHEDIR.TAG", "CMakeCache.txt", "pyvenv.cfg"};

}  // namespace

void IgnoredPaths::enter(const std::string& folder) {
  read_rules(folder);
  for (const char* marker : kBuildMarkers) {
    if (!folder.empty() && os::access(join_path(root_, folder + marker).c_str(), F_OK) == 0)
      build_folders_.push_back(folder);
  }
}

void IgnoredPaths::read_rules(const std::string& folder) {
  if (const auto text = text_of(folder + ".gitignore")) rules_.add(folder, *text);
}

void IgnoredPaths::read_excludes() {
  if (const auto text = text_of(".git/info/exclude")) rules_.add_excludes(*text);
}

std::optional<std::string> IgnoredPaths::text_of(const std::string& path) const {
  if (auto text = read_start_of_file(join_path(root_, path), kMaxRules)) return *std::move(text);
  const FileDescriptor file = lower_ >= 0 ? open_below(lower_, path) : FileDescriptor();
  if (!file) return std::nullopt;
  std::string bytes(kMaxRules, '\0');
  bytes.resize(read_some(file.number(), bytes.data(), bytes.size()));
  return bytes;
}

bool IgnoredPaths::contains(std::string_view path) const {
  for (size_t begin = 0, end = 0; (end = path.find('/', begin)) != path.npos; begin = end + 1) {
    const std::string_view part = path.substr(begin, end - begin);
    if (std::ranges::find(kBuildFolders, part) != std::end(kBuildFolders)) return true;
  }
  if (std::ranges::any_of(build_folders_,
                          [&](const std::string& each) { return path.starts_with(each); }))
    return true;
  return rules_.ignores(path);
}

}  // namespace bodkin
