#include "agent/workspace/git.h"

#include <filesystem>
#include <set>

#include "agent/support/process.h"
#include "agent/support/read_file.h"
#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The settings by which a repository's configuration could make git run a program or contact
// another machine. Filters and textconv have arbitrary names and cannot be listed, so no command
// that reads file contents is run.
constexpr const char* kDisarmed[] = {
    "safe.bareRepository=explicit",  // nor is a folder a repository just because it looks like one
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.askPass=",
    "core.pager=cat",
    "core.editor=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    "maintenance.auto=false",
    "gc.auto=0",
};

constexpr const char* kVariables[] = {
    "GIT_ALLOW_PROTOCOL=none",  // no protocol is allowed: nothing is ever fetched
    "GIT_NO_LAZY_FETCH=1",      // a partial clone's missing objects stay missing
    "GIT_OPTIONAL_LOCKS=0",    "GIT_TERMINAL_PROMPT=0",   "GIT_ASKPASS=",
    "GIT_SSH_COMMAND=false",   "GIT_PAGER=cat",           "GIT_EDITOR=false",
    "GIT_ATTR_NOSYSTEM=1",     "GIT_LITERAL_PATHSPECS=1",
};

// The location of the user's configuration, and how far up git searches. Other git variables in our
// environment belong to another run of git: a hook that started the editor sets GIT_DIR.
const std::vector<std::string> kPassed = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
                                          "GIT_CONFIG_NOSYSTEM", "GIT_DISCOVERY_ACROSS_FILESYSTEM"};

// The folder that holds the `.git` which git would find from `folder`; empty if there is none.
fs::path top_of_repository(const std::string& folder) {
  std::error_code error;
  for (fs::path at = fs::canonical(folder, error); !error; at = at.parent_path()) {
    std::error_code ignored;
    const fs::file_status found = fs::status(at / ".git", ignored);
    if (fs::is_directory(found) || fs::is_regular_file(found)) return at;
    if (at == at.parent_path()) break;
  }
  return {};
}

// The folders of the submodules of a repository, relative to its top folder; untrusted.
std::set<std::string> submodules_of(const fs::path& top) {
  constexpr size_t kMaxSubmodules = 100, kMaxText = 1 << 20;
  std::set<std::string> found;
  const auto text = read_start_of_file((top / ".gitmodules").string(), kMaxText);
  if (!text) return found;
  for (size_t at = 0; at < text->size() && found.size() < kMaxSubmodules;) {
    const size_t end = std::min(text->find('\n', at), text->size());
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
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
  return fs::exists(fs::symlink_status(folder / ".git", ignored));
}

}  // namespace

bool NestedWorktrees::is_one(const std::string& path) const {
  const fs::path here = fs::path(folder_) / path;
  if (!has_git(here)) return false;
  const fs::path top = top_of_repository(here.parent_path().string());
  if (top.empty()) return false;
  std::error_code error;
  const fs::path real = fs::canonical(here, error);
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
  ProcessRequest request;
  request.arguments = {"git", "--no-pager", "--no-replace-objects"};
  for (const char* setting : kDisarmed) {
    request.arguments.emplace_back("-c");
    request.arguments.emplace_back(setting);
  }
  for (const char* word : {"ls-files", "-z", "--cached", "--others", "--exclude-standard"})
    request.arguments.emplace_back(word);
  request.name = "git";
  request.folder = folder;
  request.max_output = max_bytes;
  request.timeout = 10s;
  request.never_from = {folder};
  for (fs::path above = top; !above.empty();) {  // it may be a submodule
    request.never_from.push_back(above.string());
    above = above.has_relative_path() ? top_of_repository(above.parent_path().string()) : "";
  }
  request.also_variables = kPassed;
  request.set_variables.assign(std::begin(kVariables), std::end(kVariables));
  // core.worktree may lead anywhere; also, git must not search for a repository further up.
  request.set_variables.push_back("GIT_WORK_TREE=" + top.string());
  request.set_variables.push_back("GIT_CEILING_DIRECTORIES=" + top.parent_path().string());
  auto listed = run_process(request, stop);
  if (!listed) return std::unexpected(listed.error());
  // It also fails at an unreadable folder; what it has listed by then is used.
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
  const fs::path real = fs::canonical(folder, error), top = top_of_repository(folder);
  for (const std::string& each : submodules_of(top)) {
    const std::string inside = (top / each).lexically_relative(real).generic_string();
    // Through no link, and only those that are checked out.
    if (!is_plain_path(inside) || fs::canonical(top / each, error) != top / each ||
        !has_git(top / each))
      continue;
    if (listed->size() >= max_bytes || stop.stop_requested()) break;
    const auto names = list_with_git((top / each).string(), max_bytes - listed->size(), stop);
    if (!names) continue;
    // Its entry in the index is no file.
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
