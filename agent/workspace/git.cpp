#include "agent/workspace/git.h"

#include <filesystem>
#include <set>

#include "agent/platform/paths.h"
#include "agent/support/process.h"
#include "agent/support/read_file.h"
#include "agent/workspace/git_run.h"
#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// The folders of the submodules of a repository, relative to its top folder; untrusted.
std::set<std::string> submodules_of(const fs::path& top) {
  constexpr size_t kMaxSubmodules = 100, kMaxText = 1 << 20;
  std::set<std::string> found;
  const auto text = read_start_of_file((top / ".gitmodules").generic_string(), kMaxText);
  if (!text) return found;
  for (const std::string_view line : split_lines(*text)) {
    if (found.size() == kMaxSubmodules) break;
    const size_t equals = line.find('=');
    if (equals == line.npos || trimmed(line.substr(0, equals)) != "path") continue;
    std::string path(trimmed(line.substr(equals + 1)));
    while (path.ends_with('/')) path.pop_back();
    if (is_plain_path(path)) found.insert(std::move(path));
  }
  return found;
}

bool has_git(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(os::symlink_status(folder / ".git", ignored));
}

}  // namespace

bool NestedWorktrees::is_one(const std::string& path) const {
  const fs::path here = fs::path(folder_) / path;
  if (!has_git(here)) return false;
  const fs::path top = top_of_repository(here.parent_path().generic_string());
  if (top.empty()) return false;
  std::error_code error;
  const fs::path real = os::canonical(here, error);
  return error || !submodules_of(top).contains(real.lexically_relative(top).generic_string());
}

bool NestedWorktrees::contain(std::string_view path) {
  for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    const std::string_view above = path.substr(0, end);
    auto known = known_.find(above);
    if (known == known_.end()) known = known_.emplace(above, is_one(std::string(above))).first;
    if (known->second) return true;
  }
  return false;
}

namespace {

Result<std::string> list_one_repository(const std::string& folder, size_t max_bytes,
                                        const std::stop_token& stop) {
  const fs::path top = top_of_repository(folder);
  if (top.empty()) return fail(Error::Code::unavailable, folder + " is not in a git repository.");
  ProcessRequest request = git_in(folder, top);
  for (const char* word : {"ls-files", "-z", "--cached", "--others", "--exclude-standard"})
    request.arguments.emplace_back(word);
  request.max_output = max_bytes;
  auto listed = run_process(request, stop);
  if (!listed) return std::unexpected(listed.error());
  // It also fails at an unreadable folder; the names it has listed until then are used.
  if (listed->exit_code != 0 && listed->output.empty())
    return fail(Error::Code::unavailable, "git cannot list " + folder + ".");
  return std::move(listed->output);
}

}  // namespace

Result<std::string> list_with_git(const std::string& folder, size_t max_bytes,
                                  const std::stop_token& stop) {
  Result<std::string> listed = list_one_repository(folder, max_bytes, stop);
  if (!listed) return listed;
  std::error_code error;
  const fs::path real = os::canonical(folder, error), top = top_of_repository(folder);
  for (const std::string& each : submodules_of(top)) {
    const std::string inside = (top / each).lexically_relative(real).generic_string();
    // Through no link, and only those that are checked out.
    if (!is_plain_path(inside) || os::canonical(top / each, error) != top / each ||
        !has_git(top / each))
      continue;
    if (listed->size() >= max_bytes || stop.stop_requested()) break;
    const auto names =
        list_with_git((top / each).generic_string(), max_bytes - listed->size(), stop);
    if (!names) continue;
    // Its entry in the index is not a file.
    const std::string entry = inside + '\0';
    if (const size_t at = listed->find('\0' + entry); at != listed->npos)
      listed->erase(at + 1, entry.size());
    else if (listed->starts_with(entry))
      listed->erase(0, entry.size());
    for (size_t at = 0, end; (end = names->find('\0', at)) != names->npos; at = end + 1)
      *listed += inside + "/" + names->substr(at, end + 1 - at);
  }
  return listed;
}

}  // namespace bodkin
