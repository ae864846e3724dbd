#include "agent/sandbox/git_stores.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "agent/sandbox/sandbox_privileges.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{3};  // for one answer
constexpr size_t kMaxAnswer = 256u << 20;     // bytes
constexpr size_t kMaxTrees = 50;              // branches or stashes

// All that is written to `pipe` until it is closed; nothing if that is too much or takes too long.
std::optional<std::string> all_of(int pipe) {
  std::string bytes;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready{pipe, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0) return {};
    const ssize_t n = ::read(pipe, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(n));
    if (bytes.size() > kMaxAnswer) return std::nullopt;
  }
}

// In a git folder: names, versions and settings. All else may hold contents of files: objects, LFS,
// rr-cache, a rebase's patches, what other tools keep there.
bool is_without_contents(std::string_view name) {
  constexpr std::string_view kKnown[] = {
      "HEAD",    "branches",    "commondir", "config",  "config.worktree", "description",
      "gitdir",  "hooks",       "index",     "info",    "locked",          "logs",
      "modules", "packed-refs", "refs",      "shallow", "worktrees"};
  return std::ranges::find(kKnown, name) != std::end(kKnown) || name.ends_with("_HEAD") ||
         name.starts_with("sharedindex.") || name.ends_with(".lock");
}

// False: one of them is private, or they are not known.
bool are_open(const std::optional<std::string>& names,
              const std::function<bool(std::string_view)>& is_private) {
  if (!names) return false;
  for (size_t at = 0, end; (end = names->find('\0', at)) != names->npos; at = end + 1)
    if (is_private(std::string_view(*names).substr(at, end - at))) return false;
  return true;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

class Stores {
 public:
  Stores(const std::string& folder, const AskGit& ask,
         const std::function<bool(std::string_view)>& is_private)
      : folder_(folder), ask_(ask), is_private_(is_private) {}

  bool are_open() const {
    if (!has_objects()) return true;
    if (!ask_) return false;
    bool has_index = false;
    std::vector<std::string> checked_out = {folder_};
    std::error_code error;
    for (const auto& tree : fs::directory_iterator(folder_ + "/worktrees", error))
      checked_out.push_back(tree.path().string());
    for (const std::string& each : checked_out) {
      if (!fs::exists(each + "/index", error)) continue;
      has_index = true;
      if (!bodkin::are_open(ask_(each, {"ls-files", "-z", "--cached"}), is_private_)) return false;
      // Before the first commit there is none.
      const auto head = ask_(each, {"rev-parse", "--quiet", "--verify", "HEAD^{commit}"});
      if (head && !is_tree_open(each, "HEAD")) return false;
    }
    return (has_index || are_branches_open()) && are_stashes_open();
  }

 private:
  // git makes the folders of an empty one, too.
  bool has_objects() const {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/objects", error))
      if (!entry.is_directory(error)) return true;
    return fs::is_symlink(folder_ + "/objects", error);
  }

  bool is_tree_open(const std::string& from, const std::string& commit) const {
    return bodkin::are_open(
        ask_(from, {"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit}), is_private_);
  }

  bool are_branches_open() const {
    const auto refs = ask_(folder_, {"for-each-ref", "--format=%(objectname)"});
    if (!refs) return false;
    const std::vector<std::string> tips = lines_of(*refs);
    if (tips.empty() || tips.size() > kMaxTrees) return false;
    for (const std::string& tip : tips)
      if (!is_tree_open(folder_, tip)) return false;
    return true;
  }

  // `git stash -u` keeps files that no index names, in a third parent.
  bool are_stashes_open() const {
    const auto stash = ask_(folder_, {"for-each-ref", "--format=%(objectname)", "refs/stash"});
    if (!stash) return false;
    if (stash->empty()) return true;
    const auto parents = ask_(folder_, {"log", "-g", "--format=%P", "refs/stash", "--"});
    const auto newest = ask_(folder_, {"log", "-1", "--format=%P", "refs/stash", "--"});
    if (!parents || !newest) return false;
    const std::vector<std::string> stashes = lines_of(*parents + *newest);
    if (stashes.size() > kMaxTrees) return false;
    for (const std::string& each : stashes) {
      const std::vector<std::string> commits = words_of(each);
      for (size_t i = 1; i < commits.size(); ++i)
        if (!is_tree_open(folder_, commits[i])) return false;
    }
    return true;
  }

  const std::string& folder_;
  const AskGit& ask_;
  const std::function<bool(std::string_view)>& is_private_;
};

}  // namespace

AskGit isolated_git(const std::vector<std::string>& never_from) {
#ifdef __linux__
  const auto git = find_program("git", never_from);
  if (!git) return nullptr;
  return [git = *git](const std::string& folder,
                      const std::vector<std::string>& arguments) -> std::optional<std::string> {
    std::vector<std::string> words = {git, "--no-pager", "--no-replace-objects"};
    for (const char* setting :
         {"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.alternateRefsCommand=false"}) {
      words.emplace_back("-c");
      words.emplace_back(setting);
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = {"GIT_DIR=" + folder,           "GIT_CONFIG_NOSYSTEM=1",
                                          "GIT_CONFIG_GLOBAL=/dev/null", "GIT_OPTIONAL_LOCKS=0",
                                          "GIT_ALLOW_PROTOCOL=none",     "GIT_NO_LAZY_FETCH=1",
                                          "GIT_TERMINAL_PROMPT=0",       "LC_ALL=C",
                                          "PATH=/usr/bin:/bin",          "HOME=/nonexistent"};
    std::vector<char*> argv, envp;
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0) return std::nullopt;
    if (::pipe2(out, O_CLOEXEC) != 0) {
      ::close(in[0]);
      ::close(in[1]);
      return std::nullopt;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(in[1], 2);  // nobody reads what it says
      ::close_range(3, ~0u, 0);
      if (::chdir("/") != 0 || !drop_privileges({})) ::_exit(1);
      ::execve(argv[0], argv.data(), envp.data());
      ::_exit(1);
    }
    ::close(in[0]);
    ::close(in[1]);
    ::close(out[1]);
    auto answer = child > 0 ? all_of(out[0]) : std::nullopt;
    ::close(out[0]);
    if (child <= 0) return std::nullopt;
    if (!answer) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::move(answer) : std::nullopt;
  };
#else
  (void)never_from;
  return nullptr;
#endif
}

std::vector<std::string> private_stores(const std::string& lower, const std::string& git_folder,
                                        const AskGit& ask,
                                        const std::function<bool(std::string_view)>& is_private) {
  const std::string folder = git_folder.empty() ? lower : join_path(lower, git_folder);
  if (Stores(folder, ask, is_private).are_open()) return {};
  std::error_code error;
  const std::string top = fs::canonical(lower, error).string();
  std::vector<std::string> stores;
  const auto add = [&](const std::string& path) {
    if (fs::exists(fs::symlink_status(path, error)))
      stores.push_back(path.substr(lower.size() + 1));
    const std::string real = fs::canonical(path, error).string();
    if (!error && is_below(real, top)) stores.push_back(real.substr(top.size() + 1));
  };
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!is_without_contents(entry.path().filename().string())) add(entry.path().string());
  for (const auto& tree : fs::directory_iterator(folder + "/worktrees", error))
    for (const auto& entry : fs::directory_iterator(tree.path(), error))
      if (!is_without_contents(entry.path().filename().string())) add(entry.path().string());
  const auto add_alternate = [&](const std::string& line) {
    if (!line.starts_with('/')) return line.empty() ? void() : add(folder + "/objects/" + line);
    // Below the folder's own path, which is not known here.
    for (size_t at = 0; at != line.npos; at = line.find('/', at + 1))
      if (fs::exists(lower + line.substr(at), error)) return add(lower + line.substr(at));
  };
  const std::string alternates =
      read_start_of_file(folder + "/objects/info/alternates", 64 << 10).value_or("");
  for (const std::string& line : lines_of(alternates + "\n")) add_alternate(line);
  return stores;
}

}  // namespace bodkin
