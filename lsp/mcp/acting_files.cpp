#include "lsp/mcp/acting_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "agent/ask/cautions.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
#include "agent/support/user_folders.h"
#include "agent/workspace/git_settings.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin::mcp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxWalked = 200'000;         // files and folders
constexpr size_t kMaxConfiguration = 1 << 20;  // bytes of a file
constexpr size_t kMaxConfigurations = 100;     // files that include each other
constexpr size_t kMaxNamed = 50'000;           // with more, any file may be named

constexpr const char* kConfiguresGit = "configures git, which can run programs";

bool is_there(const std::string& path) {
  os::FileStatus status{};
  return os::lstat(path.c_str(), &status) == 0;
}

// The path from the top of the repository around it, or of the file system: the served folder may
// itself be an agent's, or be in one.
std::string path_in_repository(const std::string& absolute) {
  for (size_t end = absolute.rfind('/'); end != absolute.npos && end > 0;
       end = absolute.rfind('/', end - 1)) {
    if (is_there(absolute.substr(0, end) + "/.git")) return absolute.substr(end + 1);
  }
  return absolute.substr(absolute.find('/') + 1);
}

// git takes any folder with a HEAD for a repository, and runs commands that are set there.
bool configures_git(const std::string& absolute) {
  const size_t slash = absolute.rfind('/') + 1;
  const std::string_view name = std::string_view(absolute).substr(slash);
  return (name == "config" || name == "config.worktree" || name == "commondir") &&
         is_there(absolute.substr(0, slash) + "HEAD");
}

// The target of a link, which may not exist yet.
std::optional<std::string> target_of(const fs::directory_entry& link) {
  std::error_code error;
  const fs::path target = os::read_symlink(link.path(), error);
  if (error) return std::nullopt;
  return real_path(os::text_of(link.path().parent_path() / target));
}

// The files that git's configuration names around a folder. It is read as text and not by git,
// which a repository could make wait or run something: each word of a command is taken for a path.
// Files that a file includes are read, too.
class NamedByGit {
 public:
  // `top`: a folder that holds a .git.
  explicit NamedByGit(const std::string& top) : top_(top) {
    std::string git = top + "/.git";
    if (const auto link = read_start_of_file(git, 4096); link && link->starts_with("gitdir:"))
      git = from(top, std::string(trimmed(link->substr(7))));
    std::string common = git;
    if (const auto shared = read_start_of_file(git + "/commondir", 4096))
      common = from(git, std::string(trimmed(*shared)));
    const char* global = os::getenv("GIT_CONFIG_GLOBAL");
    const char* config = os::getenv("XDG_CONFIG_HOME");
    const std::string home = home_folder();
    for (const std::string& file :
         {common + "/config", git + "/config.worktree", std::string("/etc/gitconfig"),
          global ? std::string(global) : home + "/.gitconfig",
          (config ? std::string(config) : home + "/.config") + "/git/config"})
      read(file);
    std::error_code error;
    add(hooks_, git, common + "/hooks");
    for (const auto& hook : fs::directory_iterator(common + "/hooks", error))
      if (auto real = target_of(hook)) named_.insert(*std::move(real));
  }

  bool contains(const std::string& real) const {
    return tried_ == kMaxNamed || named_.contains(real) ||
           std::ranges::any_of(hooks_,
                               [&](const std::string& folder) { return is_below(real, folder); });
  }

 private:
  static std::string from(const std::string& folder, const std::string& path) {
    if (path.starts_with("~/")) return home_folder() + path.substr(1);
    // git's own folder, wherever it is installed: usually this.
    if (path.starts_with("%(prefix)/")) return "/usr" + path.substr(9);
    return os::is_absolute(path) ? path : join_path(folder, path);
  }

  void add(std::set<std::string>& to, const std::string& file, const std::string& path) {
    for (const std::string& folder : {top_, std::string(folder_part(file))})
      if (auto real = real_path(from(folder, path))) to.insert(*std::move(real));
  }

  void read(const std::string& file) {
    if (read_.size() == kMaxConfigurations || !read_.insert(file).second) return;
    const std::string text = read_start_of_file(file, kMaxConfiguration).value_or("");
    for (const GitSetting& setting : git_settings(text)) {
      const std::string& value = setting.value;
      if (setting.key == "hookspath" || setting.key == "templatedir") add(hooks_, file, value);
      if (setting.key.ends_with("path"))
        for (const std::string& folder : {top_, std::string(folder_part(file))})
          read(from(folder, value));
      if (setting.key.ends_with("file") || setting.key.ends_with("path") ||
          value.find_first_of("./ ") != value.npos)
        add(named_, file, value);
      // Names of people and git's own commands are not programs.
      const bool is_command =
          setting.section != "user" && (setting.section != "alias" || value.starts_with('!'));
      if (!is_command) continue;
      for (const std::string& path : paths_in_command(value)) {
        if (tried_ == kMaxNamed) return;
        ++tried_;
        add(named_, file, path);
      }
    }
  }

  const std::string top_;
  size_t tried_ = 0;  // paths in commands
  std::set<std::string> read_, named_, hooks_;
};

struct Changed {
  std::string shown;  // the name that the edit has for it
  std::string real;   // absolute
};

class Search {
 public:
  Search(const ServedFolder& served, std::vector<Changed> changed)
      : top_(served.folder.path()), changed_(std::move(changed)) {}

  std::vector<std::string> run() {
    for (const Changed& each : changed_) {
      look_at(each, each.shown, each.real);
      look_at_git(each);
    }
    look_through(top_, [](const std::string& path) {
      return !path.ends_with("/.git") && !path.ends_with("/node_modules");
    });
    look_through_home();
    return {why_.begin(), why_.end()};
  }

 private:
  void add(const Changed& file, std::string_view name, std::string_view why) {
    const std::string other = name == file.shown ? "" : ", which is also " + std::string(name);
    why_.insert(file.shown + other + ": " + std::string(why));
  }

  void look_at(const Changed& file, std::string_view name, const std::string& absolute) {
    const std::string inside = path_in_repository(absolute);
    if (acts_by_itself(inside)) {
      add(file, name, caution_for(inside).value_or(""));
    } else if (configures_git(absolute)) {
      add(file, name, kConfiguresGit);
    }
  }

  // Looks at every repository that it is in: one of them may be a submodule.
  void look_at_git(const Changed& file) {
    for (std::string top(folder_part(file.real)); !top.empty();
         top = std::string(folder_part(top))) {
      if (!is_there(top + "/.git")) continue;
      const auto known = git_.try_emplace(top, top).first;
      if (known->second.contains(file.real))
        add(file, file.shown, "is named in git's configuration");
    }
  }

  // Other names of a changed file: links to it or to a folder around it, and hard links.
  void look_at_name(const fs::directory_entry& entry) {
    std::error_code error;
    const std::string name = os::text_of(entry.path());
    if (entry.is_symlink(error)) {
      const auto real = target_of(entry);
      for (const Changed& file : changed_) {
        if (!real || (file.real != *real && !is_below(file.real, *real))) continue;
        const std::string also = name + file.real.substr(real->size());
        look_at(file, path_in_served(also), also);
        look_at_git({file.shown, also});
      }
    } else if (has_hard_links_ && entry.hard_link_count(error) > 1 && !error) {
      for (const Changed& file : changed_)
        if (file.real != name && os::equivalent(name, file.real, error))
          look_at(file, path_in_served(name), name);
    }
  }

  std::string path_in_served(const std::string& absolute) const {
    return is_below(absolute, top_) ? path_in(absolute, top_) : absolute;
  }

  void look_through(const std::string& folder,
                    const std::function<bool(const std::string& path)>& enter) {
    has_hard_links_ = std::ranges::any_of(changed_, [](const Changed& file) {
      os::FileStatus status{};
      return os::stat(file.real.c_str(), &status) == 0 && status.st_nlink > 1;
    });
    size_t walked = 0;
    walk(folder, [&](const fs::directory_entry& entry) {
      if (++walked > kMaxWalked) return Walk::end;
      std::error_code error;
      look_at_name(entry);
      const bool is_entered = !entry.is_directory(error) || enter(os::text_of(entry.path()));
      return is_entered ? Walk::on : Walk::not_below;
    });
  }

  // The files of shells, editors and agents are often links into a folder of settings.
  void look_through_home() {
    const std::string home = home_folder();
    if (home.empty()) return;
    look_through(home, [&](const std::string& path) {
      const std::string inside = path_in(path, home);
      const auto depth = std::ranges::count(inside, '/');
      return inside.starts_with('.') &&
             (depth == 0 || (depth == 1 && inside.starts_with(".config/")));
    });
  }

  const std::string top_;
  const std::vector<Changed> changed_;
  std::map<std::string, NamedByGit> git_;  // by the repository's folder
  std::set<std::string> why_;
  bool has_hard_links_ = false;
};

}  // namespace

// Decides: what `bodkin mcp` changes only by the user's word.
std::vector<std::string> acting_files(const std::vector<ChangedFile>& files, ServedFolder& served,
                                      const Task& task) {
  std::vector<Changed> changed;
  for (const ChangedFile& file : files) {
    for (const std::string& path : std::set{file.path, file.last_path()}) {
      const std::string absolute = join_path(served.folder.path(), path);
      changed.push_back({path, absolute});
      const auto target = served.draft->edit_target(path, true, task);
      if (target && target->path != path)
        changed.push_back(
            {path + ", a link to " + target->path, join_path(served.folder.path(), target->path)});
    }
  }
  return Search(served, std::move(changed)).run();
}

}  // namespace bodkin::mcp
