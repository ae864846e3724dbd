#include "agent/sandbox/git_stores.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "agent/sandbox/linux/git_places.h"
#include "agent/sandbox/linux/sandbox_privileges.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{3};  // for one answer
constexpr size_t kMaxAnswer = 256u << 20;     // bytes
constexpr size_t kMaxTrees = 50;              // branches or stashes
constexpr size_t kMaxNewest = 20;             // branches and tags besides what is checked out

// All that is written to `pipe` until it is closed; nullopt if that is too much or takes too long.
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

// In a git folder, what has names, versions and settings.
bool is_without_contents(std::string_view name) {
  constexpr std::string_view kKnown[] = {
      "HEAD",    "branches",    "commondir", "config",   "config.worktree", "description",
      "gitdir",  "hooks",       "index",     "info",     "locked",          "logs",
      "modules", "packed-refs", "refs",      "reftable", "shallow",         "worktrees"};
  return std::ranges::find(kKnown, name) != std::end(kKnown) || name.ends_with("_HEAD") ||
         name.starts_with("sharedindex.") || name.ends_with(".lock");
}

// In a git folder, the places with contents of files that git knows, and messages about them
// ("COMMIT_EDITMSG"). Other files there, of a rebase, of other tools or of people, are nothing that
// a build asks git for.
bool is_of_known_files(std::string_view name) {
  return name == "objects" || name == "annex" ||
         std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) || c == '.'; });
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) words.emplace_back(word);
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
  Stores(const std::string& lower, const std::string& folder, const AskGit& ask,
         const IsPrivateToGit& is_private, const std::vector<std::string>& private_files)
      : lower_(lower),
        folder_(folder),
        ask_(ask),
        is_private_(is_private),
        private_files_(private_files) {}

  bool are_open() {
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
      if (!is_index_open(each)) return false;
      // Before the first commit there is none.
      if (has_commit(each) && !is_tree_open(each, "HEAD")) return false;
    }
    return (has_index ? are_newest_open() : are_branches_open()) && are_stashes_open() &&
           !has_private_bytes();
  }

 private:
  // git makes the folders of an empty one, too.
  bool has_objects() const {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/objects", error))
      if (!entry.is_directory(error)) return true;
    return fs::is_symlink(folder_ + "/objects", error);
  }

  bool has_commit(const std::string& from) const {
    return ask_(from, {"rev-parse", "--quiet", "--verify", "HEAD^{commit}"}).has_value();
  }

  // Each name ends with a NUL. False, too: they are not known.
  bool are_names_open(const std::string& from, const std::optional<std::string>& names) const {
    if (!names) return false;
    for (size_t at = 0, end; (end = names->find('\0', at)) != names->npos; at = end + 1)
      if (is_private_(from, std::string_view(*names).substr(at, end - at))) return false;
    return true;
  }

  // Each entry: "MODE ID STAGE\tNAME\0".
  bool is_index_open(const std::string& from) {
    const auto entries = ask_(from, {"ls-files", "-z", "--stage"});
    if (!entries) return false;
    for (size_t at = 0, end; (end = entries->find('\0', at)) != entries->npos; at = end + 1) {
      const std::string_view entry = std::string_view(*entries).substr(at, end - at);
      const size_t tab = std::min(entry.find('\t'), entry.size() - 1);
      if (is_private_(from, entry.substr(tab + 1))) return false;
      const size_t id = std::min(entry.find(' '), tab) + 1;
      open_ids_.emplace(entry.substr(id, entry.find(' ', id) - id));
    }
    return true;
  }

  bool is_tree_open(const std::string& from, const std::string& commit) const {
    return are_names_open(
        from, ask_(from, {"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit}));
  }

  // Checks what other branches and tags have besides the commit that is checked out.
  bool are_newest_open() const {
    const auto refs = ask_(
        folder_, {"for-each-ref", "--sort=-committerdate", "--count=" + std::to_string(kMaxNewest),
                  "--format=%(objecttype)%(*objecttype) %(objectname)", "refs/heads",
                  "refs/remotes", "refs/tags"});
    if (!refs) return false;
    const bool is_begun = has_commit(folder_);
    for (const std::string& line : lines_of(*refs)) {
      const size_t space = line.find(' ');
      if (space == line.npos || !line.substr(0, space).ends_with("commit")) continue;
      const std::string tip = line.substr(space + 1);
      if (!is_begun ? !is_tree_open(folder_, tip)
                    : !are_names_open(
                          folder_, ask_(folder_, {"diff-tree", "-r", "-z", "--name-only",
                                                  "--no-renames", "--diff-filter=A", "HEAD", tip})))
        return false;
    }
    return true;
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

  // Whether git has the bytes of a private file on the disk, under any name or none: from an older
  // commit, or once added. A file whose bytes are also in a file that is not secret, such as a
  // template, does not count.
  bool has_private_bytes() const {
    std::vector<std::string> question = {"hash-object", "--no-filters", "--"};
    for (const std::string& path : private_files_) question.push_back(join_path(lower_, path));
    if (private_files_.empty()) return false;
    const auto ids = ask_(folder_, question);
    if (!ids) return true;
    std::vector<std::string> wanted = {"rev-list", "--objects", "--no-walk", "--ignore-missing"};
    const size_t none = wanted.size();
    for (std::string& id : lines_of(*ids))
      if (!open_ids_.contains(id)) wanted.push_back(std::move(id));
    if (wanted.size() == none) return false;
    const auto there = ask_(folder_, wanted);
    return !there || !there->empty();
  }

  const std::string &lower_, &folder_;
  const AskGit& ask_;
  const IsPrivateToGit& is_private_;
  const std::vector<std::string>& private_files_;
  std::set<std::string, std::less<>> open_ids_;  // of files that git has now
};

}  // namespace

AskGit isolated_git(const std::vector<std::string>& never_from) {
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
      // All but the folder itself, if that is named by its number.
      const std::string_view by_number = "/proc/self/fd/";
      unsigned kept = 2;
      if (folder.starts_with(by_number))
        kept = static_cast<unsigned>(std::atoi(folder.c_str() + by_number.size()));
      ::fcntl(static_cast<int>(kept), F_SETFD, 0);
      if (kept > 3) ::close_range(3, kept - 1, 0);
      ::close_range(kept + 1, ~0u, 0);
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
}

std::vector<std::string> private_stores(const std::string& lower, const std::string& git_folder,
                                        const AskGit& ask, const IsPrivateToGit& is_private,
                                        const std::vector<std::string>& private_files) {
  const std::string folder = git_folder.empty() ? lower : join_path(lower, git_folder);
  const bool are_open = Stores(lower, folder, ask, is_private, private_files).are_open();
  std::error_code error;
  const std::string top = fs::canonical(lower, error).string();
  std::vector<std::string> stores;
  const auto add = [&](const std::string& path) {
    if (fs::exists(fs::symlink_status(path, error)))
      stores.push_back(path.substr(lower.size() + 1));
    const std::string real = fs::canonical(path, error).string();
    if (!error && is_below(real, top)) stores.push_back(real.substr(top.size() + 1));
  };
  const auto add_inside = [&](const fs::path& git) {
    for (const auto& entry : fs::directory_iterator(git, error)) {
      const std::string name = entry.path().filename().string();
      if (!is_without_contents(name) && !(are_open && is_of_known_files(name)))
        add(entry.path().string());
    }
  };
  add_inside(folder);
  for (const auto& tree : fs::directory_iterator(folder + "/worktrees", error))
    add_inside(tree.path());
  if (are_open) return stores;
  for (const std::string& place : folders_named_in_config(lower, git_folder, "lfs", "storage"))
    if (!place.empty()) stores.push_back(place);
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
