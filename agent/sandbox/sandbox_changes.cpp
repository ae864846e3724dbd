#include "agent/sandbox/sandbox_changes.h"

#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <map>
#include <optional>

#include "agent/support/read_file.h"
#include "agent/support/utf8.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using Found = SandboxChange::State;

constexpr size_t kMostOfRules = 1 << 20;      // bytes of a .gitignore
constexpr uint64_t kMostOfText = 1 << 20;     // bytes of a file, as in the other tools
constexpr uint64_t kMostOfTexts = 32u << 20;  // … of all
constexpr size_t kMostFound = 2000;           // changes
constexpr size_t kMostIgnored = 500;          // … of files that a .gitignore ignores
constexpr size_t kMostVisited = 1'000'000;
constexpr int kDeepest = 200;  // folders in each other

// What tools make anew: folders of these names, and those in which such a file lies.
constexpr std::string_view kBuildFolders[] = {"node_modules", "__pycache__"};
constexpr const char* kBuildMarkers[] = {"CACHEDIR.TAG", "CMakeCache.txt", "pyvenv.cfg"};

std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// An open folder or file below another; nothing: it cannot be had. What the command has closed is
// opened again: it is ours.
class Opened {
 public:
  Opened(int at, const std::string& path, int how) {
    const char* name = path.empty() ? "." : path.c_str();
    how |= O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    fd_ = ::openat(at, name, how);
    if (fd_ < 0 && errno == EACCES && ::fchmodat(at, name, 0700, 0) == 0)
      fd_ = ::openat(at, name, how);
  }
  ~Opened() {
    if (fd_ >= 0) ::close(fd_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::vector<std::string> names_of(int at, const std::string& folder) {
  std::vector<std::string> names;
  const Opened opened(at, folder, O_DIRECTORY);
  const int copy = opened ? ::fcntl(opened.get(), F_DUPFD_CLOEXEC, 3) : -1;
  DIR* dir = copy < 0 ? nullptr : ::fdopendir(copy);
  if (!dir) {
    if (copy >= 0) ::close(copy);
    return names;
  }
  while (const dirent* entry = ::readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(dir);
  std::ranges::sort(names);
  return names;
}

// The next bytes of a file, as many as there are up to the buffer's size.
size_t read_some(int fd, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, buffer + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

bool holds(int fd, std::string_view text) {
  char buffer[16384];
  while (!text.empty()) {
    const size_t n = read_some(fd, buffer, std::min(sizeof buffer, text.size()));
    if (n == 0 || text.substr(0, n) != std::string_view(buffer, n)) return false;
    text.remove_prefix(n);
  }
  return read_some(fd, buffer, 1) == 0;
}

bool hold_the_same(int one, int other) {
  char a[16384], b[16384];
  for (;;) {
    const size_t n = read_some(one, a, sizeof a);
    if (read_some(other, b, sizeof b) != n || !std::equal(a, a + n, b)) return false;
    if (n < sizeof a) return true;
  }
}

std::optional<std::string> target_of(int at, const std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t n = ::readlinkat(at, path.c_str(), buffer, sizeof buffer);
  if (n < 0) return std::nullopt;
  return std::string(buffer, static_cast<size_t>(n));
}

// One folder of the sandbox. In an overlay the upper layer is walked, which holds all that differs
// from the disk; in a copy everything is, and held against what the copy was made of.
class ChangeWalk {
 public:
  ChangeWalk(size_t index, const SandboxFolder& files, const SandboxLayer& layer, int top,
             std::string root, SandboxChanges& found)
      : index_(index), layer_(layer), top_(top), root_(std::move(root)), found_(found) {
    for (const SandboxFolder::File& draft : files.drafts) drafts_.emplace(draft.path, &draft);
  }

  void run() {
    read_rules("", ".git/info/exclude");
    walk("", 0);
    for (const auto& [path, draft] : drafts_) {
      if (!met_.contains(path)) add(path, draft->is_link ? Found::other : Found::removed);
    }
    for (auto& [path, change] : changes_) {
      if (change.state == Found::removed && met_.contains(path) && !replaced_.contains(path))
        continue;
      found_.list.push_back(std::move(change));
    }
  }

 private:
  bool is_overlay() const { return layer_.lower >= 0; }

  // `path`: of a folder, with a '/' behind, or "".
  void read_rules(const std::string& path, const char* name = ".gitignore") {
    auto text = read_start_of_file(root_ + "/" + path + name, kMostOfRules);
    if (!text && is_overlay()) {  // it was removed with its folder
      if (const Opened file(layer_.lower, path + name, 0); file) {
        std::string bytes(kMostOfRules, '\0');
        bytes.resize(read_some(file.get(), bytes.data(), bytes.size()));
        text = std::move(bytes);
      }
    }
    if (text && !text->empty()) rules_.emplace_back(path, IgnoreList(*text));
  }

  bool is_ignored(const std::string& path) const {
    for (size_t begin = 0, end = 0; (end = path.find('/', begin)) != path.npos; begin = end + 1) {
      const std::string_view part = std::string_view(path).substr(begin, end - begin);
      if (std::ranges::find(kBuildFolders, part) != std::end(kBuildFolders)) return true;
    }
    if (std::ranges::any_of(build_folders_,
                            [&](const std::string& each) { return path.starts_with(each); }))
      return true;
    return std::ranges::any_of(rules_, [&](const auto& rule) {
      return path.starts_with(rule.first) &&
             rule.second.ignores(std::string_view(path).substr(rule.first.size()));
    });
  }

  void add(const std::string& path, Found state, std::string text = "") {
    SandboxChange change{index_, path, state, std::move(text), is_ignored(path)};
    // Of what is ignored only the text of files that are tracked nevertheless is of use.
    if (change.is_ignored) {
      const bool is_of_use = state == Found::text || state == Found::removed;
      if (!is_of_use || ++ignored_ > kMostIgnored) return;
    } else if (++counted_ > kMostFound) {
      found_.are_all = false;
      return;
    }
    changes_.insert_or_assign(path, std::move(change));
  }

  void walk(const std::string& folder, int depth) {
    if (depth > kDeepest) {
      found_.are_all = false;
      return;
    }
    const std::string below = folder.empty() ? "" : folder + "/";
    read_rules(below);
    for (const char* marker : kBuildMarkers) {
      if (!folder.empty() && ::access((root_ + "/" + below + marker).c_str(), F_OK) == 0)
        build_folders_.push_back(below);
    }
    for (const std::string& name : names_of(top_, folder)) {
      if (!found_.are_all) return;
      if (++visited_ > kMostVisited) {
        found_.are_all = false;
        return;
      }
      const std::string path = below + name;
      struct stat status {};
      if (::fstatat(top_, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      if (is_overlay() && S_ISCHR(status.st_mode) &&
          status.st_rdev == 0) {  // overlayfs: a whiteout
        if (!layer_.hidden.contains(path)) add_removed(path, depth);
        continue;
      }
      met_.insert(path);
      if (!S_ISDIR(status.st_mode) && has_below(path) == S_IFDIR) add_removed(path, depth);
      if (is_git_name(name)) {
        add_git(path, status);
      } else if (S_ISDIR(status.st_mode)) {
        if (was_file(path)) add_replaced(path);
        if (is_opaque(path)) add_removed(path, depth);
        walk(path, depth + 1);
      } else if (S_ISREG(status.st_mode)) {
        add_file(path, status);
      } else if (S_ISLNK(status.st_mode)) {
        add_link(path);
      } else {
        add(path, Found::other);
      }
    }
  }

  // What kind of file stood there before the drafts; 0: none.
  mode_t has_below(const std::string& path) const {
    struct stat status {};
    if (!is_overlay() || layer_.hidden.contains(path) ||
        ::fstatat(layer_.lower, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return 0;
    }
    return status.st_mode & S_IFMT;
  }

  bool is_draft(const std::string& path) const {
    const auto draft = drafts_.find(path);
    return draft != drafts_.end() && !draft->second->is_link;
  }

  bool was_file(const std::string& path) const {
    return is_draft(path) || (!drafts_.contains(path) && has_below(path) == S_IFREG);
  }

  void add_replaced(const std::string& path) {
    replaced_.insert(path);
    add(path, Found::removed);
  }

  // overlayfs: nothing below shows through (Documentation/filesystems/overlayfs.rst).
  bool is_opaque(const std::string& path) const {
    if (has_below(path) != S_IFDIR) return false;
    const Opened folder(top_, path, O_DIRECTORY);
    char value = 0;
    return folder && ::fgetxattr(folder.get(), "user.overlay.opaque", &value, 1) == 1 &&
           value == 'y';
  }

  // A path of the lower layer with all that is below it and was not hidden; what is in the upper
  // one is taken off the list in the end.
  void add_removed(const std::string& path, int depth) {
    if (!found_.are_all || depth > kDeepest || ++visited_ > kMostVisited) {
      found_.are_all = false;
      return;
    }
    switch (has_below(path)) {
      case S_IFREG:
        return add(path, Found::removed);
      case S_IFLNK:
        return add(path, Found::other);
      case S_IFDIR:
        if (is_git_name(path.substr(parent_of(path).size()))) return add(path, Found::git);
        read_rules(path + "/");
        for (const std::string& name : names_of(layer_.lower, path))
          add_removed(path + "/" + name, depth + 1);
        return;
      default:
        return;
    }
  }

  void add_file(const std::string& path, const struct stat& status) {
    if (!was_file(path)) {
      if (is_ignored(path)) {
        ++found_.left_out;
        return;
      }
    } else if (const Opened file(top_, path, 0); is_draft(path)) {
      if (file && holds(file.get(), drafts_.at(path)->text)) return;
    } else {
      const Opened old(layer_.lower, path, 0);
      if (file && old && hold_the_same(file.get(), old.get())) return;
    }
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size > kMostOfText) return add(path, Found::large);
    const Opened file(top_, path, 0);
    std::string text(size, '\0');
    if (!file || read_some(file.get(), text.data(), text.size()) != size)
      return add(path, Found::other);
    if (text.find('\0') != text.npos || valid_utf8(text) != text) return add(path, Found::binary);
    texts_ += size;
    if (texts_ > kMostOfTexts) {
      found_.are_all = false;
      return;
    }
    add(path, Found::text, std::move(text));
  }

  void add_link(const std::string& path) {
    const auto target = target_of(top_, path);
    const auto draft = drafts_.find(path);
    if (draft != drafts_.end() && draft->second->is_link && target == draft->second->text) return;
    if (is_overlay() && target && target == target_of(layer_.lower, path)) return;
    add(path, Found::other);
  }

  // What it notes of files that it looked at is nothing that the person would miss.
  void add_git(const std::string& path, const struct stat& status) {
    if (is_overlay() && S_ISDIR(status.st_mode)) {
      const std::vector<std::string> names = names_of(top_, path);
      if (std::ranges::all_of(names, [](const std::string& name) { return name == "index"; }))
        return;
    } else if (is_overlay() && has_below(path) == S_IFREG && S_ISREG(status.st_mode)) {
      const Opened now(top_, path, 0), old(layer_.lower, path, 0);
      if (now && old && hold_the_same(now.get(), old.get())) return;
    }
    add(path, Found::git);
  }

  const size_t index_;
  const SandboxLayer& layer_;
  const int top_;  // the folder that is walked
  const std::string root_;
  SandboxChanges& found_;
  std::map<std::string, const SandboxFolder::File*> drafts_;
  std::vector<std::pair<std::string, IgnoreList>> rules_;  // by the folder that they are about
  std::vector<std::string> build_folders_;
  std::map<std::string, SandboxChange> changes_;
  std::set<std::string> met_, replaced_;
  size_t visited_ = 0, ignored_ = 0, counted_ = 0;
  uint64_t texts_ = 0;
};

}  // namespace

SandboxLayer open_layer(const std::string& lower, const std::string& upper,
                        std::initializer_list<const std::vector<std::string>*> hidden) {
  constexpr int kHow = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  SandboxLayer layer{::open(upper.c_str(), kHow), ::open(lower.c_str(), kHow), {}};
  for (const auto* list : hidden) layer.hidden.insert(list->begin(), list->end());
  return layer;
}

SandboxChanges find_changes(const SandboxPlan& plan, const std::vector<SandboxLayer>& layers,
                            const std::vector<std::string>& roots) {
  SandboxChanges found;
  for (size_t i = 0; i < plan.folders.size(); ++i) {
    if (plan.folders[i].is_cache) continue;
    const SandboxLayer layer = i < layers.size() ? layers[i] : SandboxLayer();
    const Opened copy(AT_FDCWD, roots[i], O_DIRECTORY);
    const int top = layer.upper >= 0 ? layer.upper : copy.get();
    if (top < 0) {
      found.are_all = false;
      continue;
    }
    ChangeWalk(i, plan.folders[i].files, layer, top, roots[i], found).run();
  }
  return found;
}

}  // namespace bodkin

#endif
