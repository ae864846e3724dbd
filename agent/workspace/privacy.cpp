#include "agent/workspace/privacy.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/workspace/outside.h"
#include "edits/plan/paths.h"
#include "edits/text/pieces.h"

namespace bodkin {

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  return std::ranges::none_of(split(path, '/'), [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

GuardedWorkspace::GuardedWorkspace(Workspace& below, const Task& task)
    : LayeredWorkspace(below), roots_(below.roots(task)) {
  std::map<std::string, std::string> prefixes;  // by folder
  for (const Root& root : roots_) prefixes[root.folder] = roots_.prefix_of(root);
  if (roots_.empty()) prefixes[""] = "";
  for (const auto& [folder, prefix] : prefixes) {
    IgnoreLists lists = folder.empty() ? IgnoreLists() : IgnoreLists(folder);
    for (const auto& [above, its_prefix] : prefixes) {
      const auto list = below.read(its_prefix + ".bodkinignore", task);
      lists.add_above(above,
                      list ? Result<std::string>(list->text.str()) : std::unexpected(list.error()));
    }
    if (unreadable_.empty() && !lists.reason_all_private().empty()) {
      const std::string& by = lists.blocking_folder();
      const auto known = prefixes.find(by);
      unreadable_ = (known != prefixes.end() ? known->second : join_path(by, "")) +
                    ".bodkinignore " + lists.reason_all_private();
    }
    ignored_.push_back({prefix, std::move(lists)});
  }
}

bool GuardedWorkspace::is_listed(std::string_view path) const {
  if (is_secret(path)) return true;
  return std::ranges::any_of(ignored_, [&](const Ignored& each) {
    return path.starts_with(each.prefix) && each.lists.ignores(path.substr(each.prefix.size()));
  });
}

// Decides: which files are private.
bool GuardedWorkspace::is_private(std::string_view path) const {
  if (is_listed(path)) return true;
  // A link with a harmless name may lead to a private file or folder.
  const auto place = roots_.find(path);
  if (!place || is_listed(place->path)) return place.has_value();
  const auto real = real_path(place->absolute), folder = real_path(place->root.folder);
  if (real && roots_.empty()) {  // its folders tell, too
    const std::filesystem::path file = *real;
    return is_secret(real->substr(1)) ||
           IgnoreLists(os::text_of(file.parent_path())).ignores(os::text_of(file.filename()));
  }
  return real && folder &&
         (is_listed(roots_.prefix_of(place->root) +
                    std::filesystem::path(*real).lexically_relative(*folder).generic_string()) ||
          is_another_name(*real));
}

// Looks through the folders once, and only if there is a file with several names.
bool GuardedWorkspace::is_another_name(const std::string& absolute) const {
  os::FileStatus status{};
  const auto has_names = [&](const std::string& path) {
    return os::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1;
  };
  if (!has_names(absolute)) return false;
  const FileId file{status.st_dev, status.st_ino};
  if (!linked_) {
    linked_.emplace();
    for (const Root& root : roots_)
      walk(root.folder, [&](const std::filesystem::directory_entry& entry) {
        const std::string path = entry.path().generic_string();
        std::error_code error;
        if (entry.is_regular_file(error) && !os::is_symlink(entry, error) &&
            is_listed(roots_.prefix_of(root) + path_in(path, root.folder)) && has_names(path))
          linked_->emplace(status.st_dev, status.st_ino);
        return entry.path().filename() == ".git" ? Walk::not_below : Walk::on;
      });
  }
  return linked_->contains(file);
}

Result<Snapshot> GuardedWorkspace::read(std::string_view path, const Task& task) {
  if (!is_plain_path(path)) {
    const auto inside = path_inside(path, roots_);
    return fail(Error::Code::not_found,
                inside ? std::string(path) + " is not a path below the workspace's folder."
                       : inside.error().message + ".");
  }
  if (is_private(path)) {
    if (!unreadable_.empty() && !is_secret(path)) {
      return fail(Error::Code::invalid_input,
                  std::string(path) + " is not shown to a model, because " + unreadable_ + ".");
    }
    return fail(Error::Code::invalid_input,
                std::string(path) +
                    " is private (.bodkinignore or the built-in list of secrets): it is never "
                    "shown to a model.");
  }
  return below_.read(path, task);
}

Result<std::vector<std::string>> GuardedWorkspace::list(std::string_view folder, size_t limit,
                                                        const Task& task) {
  auto paths = below_.list(folder, limit, task);
  if (!paths) return paths;
  std::erase_if(*paths, [&](const std::string& path) {
    return task.stop.stop_requested() || is_listed(path);
  });
  if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
  return paths;
}

std::vector<std::string> GuardedWorkspace::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  std::erase_if(result, [&](const std::string& path) { return is_private(path); });
  return result;
}

}  // namespace bodkin
