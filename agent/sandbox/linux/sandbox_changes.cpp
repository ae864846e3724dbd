// One class of more than 350 lines: what a path is depends on all that was met.
#include "agent/sandbox/linux/sandbox_changes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <map>

#include "agent/support/opened.h"
#include "agent/support/path_text.h"
#include "agent/support/utf8.h"
#include "agent/workspace/ignored_paths.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using Found = SandboxChange::State;

constexpr uint64_t kMaxText = 1 << 20;      // bytes of a file (edit tools: kMaxEditBytes)
constexpr uint64_t kMaxTexts = 32u << 20;   // … of all
constexpr size_t kMaxFound = 2000;          // changes
constexpr size_t kMaxIgnored = 20'000;      // … of files that a .gitignore ignores
constexpr uint64_t kMaxOthers = 64u << 20;  // bytes of these, of binary and of large files
constexpr size_t kMaxVisited = 1'000'000;
constexpr int kDeepest = 200;  // folders in each other

std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// One folder of the sandbox. In an overlay the upper layer is walked, which holds all that differs
// from the disk; in a copy everything is, and held against what the copy was made of.
class ChangeWalk {
 public:
  ChangeWalk(size_t index, const SandboxFolder& files, const SandboxLayer& layer, int top,
             std::string root, SandboxChanges& found)
      : index_(index),
        layer_(layer),
        top_(top),
        ignored_paths_(std::move(root), layer.lower),
        found_(found) {
    for (const SandboxFolder::File& draft : files.drafts) drafts_.emplace(draft.path, &draft);
  }

  void run() {
    ignored_paths_.read_excludes();
    walk("", 0);
    for (const auto& [path, draft] : drafts_) {
      if (met_.contains(path)) continue;
      if (draft->is_folder) {
        add_folder_gone(path);
      } else {
        add_gone(path, draft->is_link);
      }
      for (size_t end = path.rfind('/'); end != std::string::npos && end > 0;
           end = path.rfind('/', end - 1))
        add_folder_gone(path.substr(0, end));
    }
    for (auto& [path, change] : changes_) {
      const bool is_gone = change.state == Found::removed || change.state == Found::folder_gone;
      if (is_gone && met_.contains(path) && !replaced_.contains(path)) continue;
      found_.list.push_back(std::move(change));
    }
  }

 private:
  bool is_overlay() const { return layer_.lower >= 0; }

  void add(const std::string& path, Found state) {
    add({index_, path, state, "", ignored_paths_.contains(path)});
  }

  void add_gone(const std::string& path, bool was_link) {
    SandboxChange change{index_, path, Found::removed, "", ignored_paths_.contains(path)};
    change.is_link = was_link;
    add(std::move(change));
  }

  // These are not counted: what was visited bounds their number.
  void add_folder_gone(const std::string& path) {
    if (met_.contains(path) || changes_.contains(path)) return;
    changes_[path] = {.folder = index_, .path = path, .state = Found::folder_gone};
  }

  void add(SandboxChange change) {
    if (change.is_ignored ? ++ignored_ > kMaxIgnored : ++counted_ > kMaxFound) {
      if (change.is_ignored) {
        ++found_.left_out;
      } else {
        found_.are_all = false;
      }
      return;
    }
    std::string path = change.path;
    changes_.insert_or_assign(std::move(path), std::move(change));
  }

  void walk(const std::string& folder, int depth) {
    if (depth > kDeepest) return add(folder, Found::deep);
    const std::string below = folder.empty() ? "" : folder + "/";
    ignored_paths_.enter(below);
    for (const std::string& name : names_of(top_, folder)) {
      if (!found_.are_all) return;
      if (++visited_ > kMaxVisited) {
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
      const mode_t given = kind_given(path);
      if (!S_ISDIR(status.st_mode) && given == S_IFDIR) add_removed(path, depth);
      if (is_git_name(name)) {
        add_git(path, status);
      } else if (S_ISDIR(status.st_mode)) {
        if (given == S_IFREG || given == S_IFLNK) add_replaced(path, given == S_IFLNK);
        if (given == S_IFDIR && is_opaque(path)) add_removed(path, depth);
        walk(path, depth + 1);
        if (given == 0 && names_of(top_, path).empty()) add(path, Found::folder);
      } else if (S_ISREG(status.st_mode)) {
        add_file(path, status);
      } else if (S_ISLNK(status.st_mode)) {
        add_link(path);
      } else {
        add(path, Found::other);
      }
    }
  }

  // The kind of file that the command found at this very path, not behind a link: a draft's, else
  // the disk's unless a draft hides it; 0: none.
  mode_t kind_given(const std::string& path) {
    const auto draft = drafts_.lower_bound(path);
    if (draft != drafts_.end() && draft->first == path) {
      return draft->second->is_link ? S_IFLNK : draft->second->is_folder ? S_IFDIR : S_IFREG;
    }
    const auto below = drafts_.lower_bound(path + "/");
    if (below != drafts_.end() && below->first.starts_with(path + "/")) return S_IFDIR;
    struct stat status {};
    if (!is_overlay() || layer_.hidden.contains(path) || !shows_disk(parent_of(path)) ||
        ::fstatat(layer_.lower, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return 0;
    }
    return status.st_mode & S_IFMT;
  }

  // True if the command found in this folder (with a trailing '/', or "") what the disk has there;
  // false if the disk has a file or a link instead, or if it was hidden.
  bool shows_disk(const std::string& folder) {
    if (folder.empty()) return true;
    const auto known = shows_disk_.find(folder);
    if (known != shows_disk_.end()) return known->second;
    const std::string path = folder.substr(0, folder.size() - 1);
    const auto draft = drafts_.find(path);
    struct stat status {};
    const bool shows = shows_disk(parent_of(path)) && !layer_.hidden.contains(path) &&
                       (draft == drafts_.end() || draft->second->is_folder) &&
                       ::fstatat(layer_.lower, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISDIR(status.st_mode);
    return shows_disk_[folder] = shows;
  }

  bool is_draft(const std::string& path) const {
    const auto draft = drafts_.find(path);
    return draft != drafts_.end() && !draft->second->is_link && !draft->second->is_folder;
  }

  void add_replaced(const std::string& path, bool was_link) {
    replaced_.insert(path);
    add_gone(path, was_link);
  }

  // overlayfs: nothing below shows through (Documentation/filesystems/overlayfs.rst).
  bool is_opaque(const std::string& path) const {
    const FileDescriptor folder = open_below(top_, path, O_DIRECTORY);
    char value = 0;
    return folder && ::fgetxattr(folder.number(), "user.overlay.opaque", &value, 1) == 1 &&
           value == 'y';
  }

  // A path of the lower layer with all that is below it and was not hidden; what is in the upper
  // one is taken off the list in the end.
  void add_removed(const std::string& path, int depth) {
    if (!found_.are_all || ++visited_ > kMaxVisited) {
      found_.are_all = false;
      return;
    }
    if (depth > kDeepest) return add(path, Found::deep);
    switch (kind_given(path)) {
      case S_IFREG:
        return add(path, Found::removed);
      case S_IFLNK:
        return add_gone(path, true);
      case S_IFDIR:
        if (is_git_name(path.substr(parent_of(path).size()))) return add(path, Found::git);
        ignored_paths_.read_rules(path + "/");
        for (const std::string& name : names_of(layer_.lower, path))
          add_removed(join_path(path, name), depth + 1);
        return add_folder_gone(path);
      default:
        return;
    }
  }

  void add_file(const std::string& path, const struct stat& status) {
    SandboxChange change{index_, path, Found::text, "", ignored_paths_.contains(path)};
    change.mode = status.st_mode & 0777;
    change.time_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
    if (kind_given(path) == S_IFREG && is_as_before(path)) {
      if (((mode_before(path) ^ status.st_mode) & 0777) == 0) return;
      change.state = Found::mode;
      return add(std::move(change));
    }
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size > kMaxText) change.state = Found::large;
    const bool may_stay_unread = change.is_ignored || size > kMaxText;
    if (may_stay_unread && kept_ + size > kMaxOthers) return leave_out(std::move(change));
    const FileDescriptor file = open_below(top_, path);
    change.text.resize(size);
    if (!file || read_some(file.number(), change.text.data(), size) != size)
      return add(path, Found::other);
    change.has_text = true;
    if (size <= kMaxText &&
        (change.text.find('\0') != std::string::npos || valid_utf8(change.text) != change.text)) {
      change.state = Found::binary;
      if (kept_ + size > kMaxOthers) return leave_out(std::move(change));
    }
    if (change.is_ignored || change.state != Found::text) {
      kept_ += size;
    } else if ((texts_ += size) > kMaxTexts) {
      found_.are_all = false;
      return;
    }
    add(std::move(change));
  }

  void leave_out(SandboxChange change) {
    if (change.is_ignored) {
      ++found_.left_out;
      return;
    }
    change.text.clear();
    change.has_text = false;
    add(std::move(change));
  }

  // Precondition: the file was there.
  bool is_as_before(const std::string& path) const {
    const FileDescriptor file = open_below(top_, path);
    if (is_draft(path)) return file && holds(file.number(), drafts_.at(path)->text);
    const FileDescriptor old = open_below(layer_.lower, path);
    return file && old && have_same_content(file.number(), old.number());
  }

  // The mode of a file that was there, as write_sandbox_files() gives it.
  mode_t mode_before(const std::string& path) const {
    if (is_draft(path) && drafts_.at(path)->mode != 0) return drafts_.at(path)->mode;
    struct stat status {};
    const bool is_there = layer_.lower >= 0 &&
                          ::fstatat(layer_.lower, path.c_str(), &status, 0) == 0 &&
                          S_ISREG(status.st_mode);
    return is_there ? status.st_mode & 0777 : 0644;
  }

  void add_link(const std::string& path) {
    const auto target = target_of(top_, path);
    if (kind_given(path) == S_IFLNK) {
      const auto draft = drafts_.find(path);
      const auto given =
          draft != drafts_.end() ? draft->second->text : target_of(layer_.lower, path);
      if (target == given) return;
    }
    SandboxChange change{index_, path, Found::other, target.value_or(""),
                         ignored_paths_.contains(path)};
    change.is_link = change.has_text = target.has_value();
    add(std::move(change));
  }

  // The user would not miss what git notes about files that it looked at, and a folder that was
  // hidden from the command was not changed by it.
  void add_git(const std::string& path, const struct stat& status) {
    if (is_overlay() && S_ISDIR(status.st_mode)) {
      const std::vector<std::string> names = names_of(top_, path);
      const auto is_nothing = [&](const std::string& name) {
        return name == "index" || layer_.hidden.contains(join_path(path, name));
      };
      if (std::ranges::all_of(names, is_nothing)) return;
    } else if (is_overlay() && kind_given(path) == S_IFREG && S_ISREG(status.st_mode)) {
      const FileDescriptor now = open_below(top_, path), old = open_below(layer_.lower, path);
      if (now && old && have_same_content(now.number(), old.number())) return;
    }
    SandboxChange change{index_, path, Found::git, "", ignored_paths_.contains(path)};
    // `git stash`, `checkout`, `reset`, `merge` and the like write one of these.
    constexpr const char* kOfWork[] = {
        "refs/stash",  "HEAD",         "ORIG_HEAD",    "MERGE_HEAD",
        "REVERT_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD"};
    const bool was_there = kind_given(path) == S_IFDIR;
    change.moves_work =
        is_overlay() && was_there && std::ranges::any_of(kOfWork, [&](const char* name) {
          struct stat there {};
          const std::string place = join_path(path, name);
          return !layer_.hidden.contains(place) &&
                 ::fstatat(top_, place.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
        });
    add(std::move(change));
  }

  const size_t index_;
  const SandboxLayer& layer_;
  const int top_;  // the folder that is walked
  IgnoredPaths ignored_paths_;
  SandboxChanges& found_;
  std::map<std::string, const SandboxFolder::File*> drafts_;
  std::map<std::string, SandboxChange> changes_;
  std::map<std::string, bool> shows_disk_;  // by folder
  std::set<std::string> met_, replaced_;
  size_t visited_ = 0, ignored_ = 0, counted_ = 0;
  uint64_t texts_ = 0, kept_ = 0;  // bytes
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
    const FileDescriptor copy = open_below(AT_FDCWD, roots[i], O_DIRECTORY);
    const int top = layer.upper >= 0 ? layer.upper : copy.number();
    if (top < 0) {
      found.are_all = false;
      continue;
    }
    ChangeWalk(i, plan.folders[i].files, layer, top, roots[i], found).run();
  }
  return found;
}

}  // namespace bodkin
