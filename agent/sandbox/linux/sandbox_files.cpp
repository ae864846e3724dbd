// More than 350 lines: one walk judges each file, by the folder that it comes from.
#include "agent/sandbox/sandbox_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "agent/sandbox/git_stores.h"
#include "agent/sandbox/linux/git_places.h"
#include "agent/sandbox/linux/sandbox_hidden.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

constexpr size_t kMaxRead = 1 << 20;  // bytes of a file
constexpr size_t kMaxWalked = 1'000'000;
constexpr size_t kMaxDepth = 200;              // folders in each other
constexpr size_t kToolDepth = 3;               // where logins of a tool are
constexpr uint64_t kMaxTakenOver = 64u << 20;  // bytes of files that belong to others
constexpr size_t kMaxCompared = 200;           // private files that git is asked for
constexpr off_t kMaxComparedSize = 1 << 20;    // bytes
constexpr uid_t kUnmapped = 65534;

// The origin of a folder's content, which decides what is private in it.
enum class From : uint8_t {
  user,
  packages,  // in their folder, but published by others
  tools,     // put there by an installer, as all around it
  cache,     // of tools, searched before
  git,
};

// virtualenvwrapper runs these, and people set variables in them.
constexpr std::string_view kHooks[] = {
    "preactivate",      "postactivate", "predeactivate", "postdeactivate",  "premkvirtualenv",
    "postmkvirtualenv", "premkproject", "postmkproject", "prermvirtualenv", "postrmvirtualenv"};

// Walks a folder recursively, without following links. Without `upper` it changes nothing.
class LayerWalk {
 public:
  LayerWalk(const std::string& lower, const std::string& upper, From from,
            const IgnoreLists& ignored, size_t most_deep, AskGit ask = nullptr,
            std::stop_token stop = {})
      : lower_(lower),
        upper_(upper),
        from_(from),
        ignored_(ignored),
        most_deep_(most_deep),
        ask_git_(std::move(ask)),
        stop_(std::move(stop)) {}

  Result<LayerFindings> run() {
    if (auto walked = walk_all(); !walked) return std::unexpected(walked.error());
    const std::set<std::string> on_disk(found_.secrets.begin(), found_.secrets.end());
    const auto is_private = [&](const std::string& git, std::string_view path) {
      return is_private_to_git(work_tree_of(git) + std::string(path), on_disk);
    };
    const std::vector<std::string> files =
        git_folders_.empty() ? std::vector<std::string>() : files_of(found_.secrets);
    for (const std::string& folder : git_folders_) {
      const auto stores = private_stores(lower_, folder, ask_git_, is_private, files);
      found_.secrets.insert(found_.secrets.end(), stores.begin(), stores.end());
    }
    return std::move(found_);
  }

 private:
  using FileId = std::pair<dev_t, ino_t>;
  static FileId file_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

  Result<void> walk_all() {
    auto walked = walk("", from_);
    for (auto& [file, path] : linked_)  // further names of private files
      if (secret_files_.contains(file)) found_.secrets.push_back(std::move(path));
    return walked;
  }

  Result<void> walk(const std::string& folder, From from) {
    const std::string below = folder.empty() ? "" : folder + "/";
    DIR* dir = ::opendir(join_path(lower_, folder).c_str());
    if (!dir) return {};  // unreadable files are unreadable in the sandbox too
    if (struct stat own{}; ::fstat(::dirfd(dir), &own) == 0)
      found_.folders.emplace_back(folder, own.st_mtim);
    const auto depth = static_cast<size_t>(std::ranges::count(below, '/'));
    std::vector<std::string> folders;
    bool has_head = false, has_objects = false;
    while (const dirent* entry = ::readdir(dir)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (stop_.stop_requested()) {
        ::closedir(dir);
        return fail(Error::Code::cancelled, "cancelled");
      }
      if (++walked_ > kMaxWalked) {
        ::closedir(dir);
        return fail(Error::Code::unavailable, "the folder has more than a million files");
      }
      struct stat status {};
      if (::fstatat(::dirfd(dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      const std::string path = below + name;
      if (name == ".git" && from != From::git) {
        found_.git.push_back(path);
        if (S_ISREG(status.st_mode)) {
          for (const std::string& git : git_folders_meant_by(lower_, path))
            work_trees_[git.empty() ? lower_ : join_path(lower_, git)] = below;
        }
      }
      const bool is_taken_over = !upper_.empty() && is_foreign(status);
      if (is_taken_over) take_over(path, status);
      has_head = has_head || name == "HEAD";
      has_objects = has_objects || name == "objects";
      if (S_ISDIR(status.st_mode)) {
        if (is_ignored(path, from)) {
          found_.secrets.push_back(path);
        } else if (depth < most_deep_ || (is_taken_over && depth < kMaxDepth)) {
          folders.push_back(name);
        }
      } else if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        found_.channels.push_back(path);
      } else if (is_private(path, name, status, from) || is_ignored(path, from) ||
                 is_login_of_git(path, name) ||
                 (from == From::user && from_ == From::user &&
                  (is_stray_object(path, name) || is_private_patch(path, name)))) {
        found_.secrets.push_back(path);
        if (status.st_nlink > 1 && S_ISREG(status.st_mode)) secret_files_.insert(file_of(status));
      } else if (status.st_nlink > 1 && (from == From::user || from == From::git)) {
        linked_.emplace_back(file_of(status), path);
      }
    }
    ::closedir(dir);
    if (has_head && has_objects && from_ == From::user) git_folders_.push_back(folder);
    for (const std::string& name : folders) {
      const bool are_objects = has_head && name == "objects";
      if (auto walked = walk(below + name, are_objects ? From::git : from_inside(name, from));
          !walked)
        return walked;
    }
    return {};
  }

  // Returns the work tree of a git folder (absolute), with a '/' at its end, or "". It may be gone.
  const std::string& work_tree_of(const std::string& git_folder) {
    const auto known = work_trees_.find(git_folder);
    if (known != work_trees_.end()) return known->second;
    const std::string folder = git_folder == lower_ ? "" : path_in(git_folder, lower_);
    const std::string path = "/" + folder;
    std::string around = path.substr(1, path.rfind('/'));
    const size_t git = path.find("/.git/");
    const auto named = folders_named_in_config(lower_, folder, "core", "worktree");
    if (!named.empty()) {
      around = named[0].empty() ? "" : named[0] + "/";
    } else if (git != path.npos) {
      around = path.substr(1, git);
    }
    return work_trees_[git_folder] = std::move(around);
  }

  // The first regular files among private ones and in private folders.
  std::vector<std::string> files_of(const std::vector<std::string>& secrets) const {
    std::vector<std::string> files;
    const auto add = [&](const std::string& path) {
      struct stat status {};
      const std::string place = join_path(lower_, path);
      if (files.size() < kMaxCompared && ::lstat(place.c_str(), &status) == 0 &&
          S_ISREG(status.st_mode) && status.st_size > 1 && status.st_size < kMaxComparedSize &&
          ::access(place.c_str(), R_OK) == 0)
        files.push_back(path);
    };
    std::error_code error;
    size_t walked = 0;
    for (const std::string& path : secrets) {
      add(path);
      const std::string place = join_path(lower_, path);
      if (std::filesystem::is_symlink(place, error) || !std::filesystem::is_directory(place, error))
        continue;
      for (std::filesystem::recursive_directory_iterator at(place, error), end;
           !error && at != end && ++walked < 10 * kMaxCompared; at.increment(error))
        add(path_in(at->path().string(), lower_));
    }
    return files;
  }

  // Objects of git that lie in no folder of git's, by which could be told what they belong to:
  // "12/34…", a pack, a bundle.
  bool is_stray_object(const std::string& path, std::string_view name) const {
    const auto is_hex = [](std::string_view text) {
      return text.find_first_not_of("0123456789abcdef") == text.npos;
    };
    if ((name.size() == 38 || name.size() == 62) && is_hex(name)) {
      const size_t around = path.size() - name.size();
      return around >= 3 && is_hex(std::string_view(path).substr(around - 3, 2)) &&
             (around == 3 || path[around - 4] == '/') && starts_with(path, "\x78");
    }
    return (name.ends_with(".pack") && starts_with(path, "PACK")) ||
           (name.ends_with(".bundle") && starts_with(path, "# v"));
  }
  bool starts_with(const std::string& path, std::string_view bytes) const {
    return read_start_of_file(join_path(lower_, path), bytes.size()).value_or("") == bytes;
  }

  // One has the lines of each file that it names.
  bool is_private_patch(const std::string& path, std::string_view name) const {
    if (!name.ends_with(".patch") && !name.ends_with(".diff")) return false;
    const std::string text =
        "\n" + read_start_of_file(join_path(lower_, path), kMaxRead).value_or("");
    for (const std::string_view head : {"\n+++ ", "\n--- "}) {
      for (size_t at = 0; (at = text.find(head, at)) != text.npos;) {
        at += head.size();
        std::string file = text.substr(at, text.find_first_of("\t\r\n", at) - at);
        if (file.starts_with("a/") || file.starts_with("b/")) file.erase(0, 2);
        if (is_secret(file) || ignored_.ignores(file)) return true;
      }
    }
    return false;
  }

  // A path that git has a file at. What is on the disk was looked at there; anything else is judged
  // by its name.
  bool is_private_to_git(const std::string& path, const std::set<std::string>& on_disk) const {
    for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
      if (on_disk.contains(path.substr(0, end))) return true;
    struct stat status {};
    const bool is_there =
        ::lstat(join_path(lower_, path).c_str(), &status) == 0 && S_ISREG(status.st_mode);
    return is_there ? on_disk.contains(path) : is_secret(path) || ignored_.ignores(path);
  }

  static From from_inside(std::string_view folder, From around) {
    if (folder == ".git" || (around == From::tools && folder.ends_with(".git"))) return From::git;
    if (around != From::user) return around;
    const bool are_packages =
        folder == "node_modules" || folder == "site-packages" || folder == "vendor";
    return are_packages ? From::packages : around;
  }

  bool is_ignored(const std::string& path, From from) const {
    return (from == From::user || from == From::packages) && ignored_.ignores(path);
  }

  bool is_private(const std::string& path, std::string_view name, const struct stat& status,
                  From from) const {
    switch (from) {
      case From::user:
        return is_secret(path);
      case From::packages:
        // A link is only another name for a file, which is judged by its own.
        return !S_ISLNK(status.st_mode) && !is_command(path, name, status) && is_secret(path) &&
               !is_certificate(path);
      case From::tools:
        // Packages are below that, with keys and credentials in their tests.
        return std::ranges::count(path, '/') < static_cast<std::ptrdiff_t>(kToolDepth) &&
               (std::ranges::find(kHooks, name) != std::end(kHooks) ||
                (!is_command(path, name, status) && is_secret(path)));
      case From::git:  // what people put there; not a branch of that name
        return is_secret(name) && path.find("/refs/") == path.npos &&
               path.find("/logs/") == path.npos;
      case From::cache:
        return false;
    }
    return true;
  }

  // One may be called "dotenv".
  bool is_command(std::string_view path, std::string_view name, const struct stat& status) const {
    const std::string around =
        join_path(lower_, std::string(path.substr(0, path.size() - name.size())));
    return (status.st_mode & 0111) != 0 && !name.starts_with('.') &&
           (around.ends_with("/bin/") || around.ends_with("/.bin/") || around.ends_with("/shims/"));
  }

  // Programs need the published certificates of others, which are not secret.
  bool is_certificate(const std::string& path) const {
    if (!path.ends_with(".pem")) return false;
    const std::string text = read_start_of_file(join_path(lower_, path), kMaxRead).value_or("");
    return text.size() < kMaxRead && text.find("-----BEGIN CERTIFICATE-----") != text.npos &&
           text.find("PRIVATE KEY") == text.npos;
  }

  // Builds ask git for names and versions, which does not need the remote's password.
  bool is_login_of_git(const std::string& path, const std::string& name) {
    const bool is_config = name == "config" || name == "config.worktree";
    // These say what was fetched, and from where.
    const bool is_log = name == "FETCH_HEAD" || path.find("/logs/") != path.npos ||
                        path.find("/remotes/") != path.npos || path.find("/branches/") != path.npos;
    const bool is_store =
        name == "credentials" || name == ".git-credentials" || name.ends_with("cookies");
    if (!is_config && !is_log && !is_store) return false;
    const std::string place = join_path(lower_, path);
    struct stat head {};
    if (!path.starts_with(".git/") && path.find("/.git/") == path.npos &&
        ::lstat((place.substr(0, place.rfind('/')) + "/HEAD").c_str(), &head) != 0) {
      return false;
    }
    if (is_config && from_ == From::user) {
      for (std::string& login : logins_named_by_git(lower_, path))
        found_.secrets.push_back(std::move(login));
    }
    const std::string text = read_start_of_file(place, kMaxRead).value_or("");
    return is_store || (is_config ? has_git_credentials(text) : has_address_with_login(text));
  }

  bool is_foreign(const struct stat& status) const {
    if (status.st_uid == kUnmapped || status.st_gid == kUnmapped) return true;
    return is_root_ && status.st_uid != 0;  // root without the right to all files
  }

  void take_over(const std::string& path, const struct stat& status) {
    const std::string to = join_path(upper_, path);
    make_parents(upper_, lower_, path);
    if (S_ISDIR(status.st_mode)) {
      ::mkdir(to.c_str(), 0700);
      ::chmod(to.c_str(), (status.st_mode & 07777) | 0700);
    } else if (auto file = file_on_disk(lower_, path, kMaxTakenOver - taken_over_)) {
      taken_over_ += file->text.size();
      file->mode |= 0600;
      (void)write_sandbox_files(upper_, lower_, {*std::move(file)});
    }
  }

  const std::string &lower_, &upper_;
  const From from_;
  const IgnoreLists& ignored_;
  const size_t most_deep_;
  const AskGit ask_git_;  // null: what it knows is not known
  const std::stop_token stop_;
  const bool is_root_ = ::geteuid() == 0;
  LayerFindings found_;
  std::vector<std::string> git_folders_;
  std::map<std::string, std::string> work_trees_;       // by git folder; see work_tree_of()
  std::set<FileId> secret_files_;                       // of several names
  std::vector<std::pair<FileId, std::string>> linked_;  // others of several names
  size_t walked_ = 0;
  uint64_t taken_over_ = 0;
};

}  // namespace

Result<LayerFindings> find_private(const std::string& folder, const std::stop_token& stop) {
  return find_private(folder, IgnoreLists(folder), stop);
}

Result<LayerFindings> find_private(const std::string& folder, const IgnoreLists& ignored,
                                   const std::stop_token& stop, const AskGit& ask) {
  return LayerWalk(folder, "", From::user, ignored, kMaxDepth, ask, stop).run();
}

Result<LayerFindings> find_private_of_tools(const std::string& folder,
                                            const std::stop_token& stop) {
  const IgnoreLists nothing;
  return LayerWalk(folder, "", From::tools, nothing, kToolDepth - 1, nullptr, stop).run();
}

Result<LayerFindings> prepare_layers(const std::string& lower, const std::string& upper,
                                     const IgnoreLists* ignored, const AskGit& ask) {
  struct stat status {};
  if (::stat(lower.c_str(), &status) == 0) ::chmod(upper.c_str(), (status.st_mode & 07777) | 0700);
  const IgnoreLists nothing;
  if (!ignored) return LayerWalk(lower, upper, From::cache, nothing, kToolDepth - 1).run();
  return LayerWalk(lower, upper, From::user, *ignored, kMaxDepth, ask).run();
}

}  // namespace bodkin
