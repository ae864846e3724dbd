#include "agent/workspace/git_run.h"

#include <chrono>
#include <vector>

#include "agent/platform/paths.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The settings by which a repository's configuration could make git run a program or contact
// another machine. Filters and textconv have arbitrary names, so no command is run that reads file
// contents; one that may compare them, without filters (git_changes.cpp).
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

}  // namespace

fs::path top_of_repository(const std::string& folder) {
  std::error_code error;
  for (fs::path at = os::canonical(folder, error); !error; at = at.parent_path()) {
    std::error_code ignored;
    const fs::file_status found = fs::status(at / ".git", ignored);
    if (fs::is_directory(found) || fs::is_regular_file(found)) return at;
    if (at == at.parent_path()) break;
  }
  return {};
}

ProcessRequest git_in(const std::string& folder, const fs::path& top) {
  ProcessRequest request;
  request.arguments = {"git", "--no-pager", "--no-replace-objects"};
  for (const char* setting : kDisarmed) {
    request.arguments.emplace_back("-c");
    request.arguments.emplace_back(setting);
  }
  request.name = "git";
  request.folder = folder;
  request.timeout = 10s;
  request.never_from = {folder};
  for (fs::path above = top; !above.empty();) {  // it may be a submodule
    request.never_from.push_back(above.generic_string());
    above =
        above.has_relative_path() ? top_of_repository(above.parent_path().generic_string()) : "";
  }
  request.also_variables = kPassed;
  request.set_variables.assign(std::begin(kVariables), std::end(kVariables));
  // core.worktree may lead anywhere; also, git must not search for a repository further up.
  request.set_variables.push_back("GIT_WORK_TREE=" + top.generic_string());
  request.set_variables.push_back("GIT_CEILING_DIRECTORIES=" + top.parent_path().generic_string());
  return request;
}

}  // namespace bodkin
