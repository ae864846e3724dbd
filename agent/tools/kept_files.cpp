#include "agent/tools/kept_files.h"

#include <algorithm>

#include "agent/platform/files.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/fnv1a.h"
#include "agent/support/path_text.h"

namespace bodkin {

namespace {

constexpr uint64_t kMaxKept = 64u << 20;  // bytes
constexpr size_t kMaxKeptFiles = 20'000;
constexpr uint64_t kMaxModeFile = 1u << 20;  // bytes of a file whose mode alone was changed

// When a folder was written, in ns since 1970; nullopt if there is none.
std::optional<int64_t> written_at(const std::string& folder) {
  os::FileStatus status{};
  if (os::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return std::nullopt;
  return os::written_at(status);
}

bool has_below(const std::set<std::string>& paths, const std::string& path) {
  const auto next = paths.lower_bound(path + "/");
  return next != paths.end() && next->starts_with(path + "/");
}

}  // namespace

// The files, links and empty folders that are laid over a folder of the disk.
struct KeptFiles::Laid {
  std::set<std::string> files, folders;

  void add(const SandboxFolder::File& file) {
    (file.is_folder ? folders : files).insert(file.path);
  }
  bool is_in_the_way(const std::string& path) const;
};

// True if something is kept at this path or below it, or a file above it.
bool KeptFiles::Laid::is_in_the_way(const std::string& path) const {
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (files.contains(path.substr(0, end))) return true;
  }
  return files.contains(path) || folders.contains(path) || has_below(files, path) ||
         has_below(folders, path);
}

bool KeptFiles::keep(const SandboxChange& change) {
  forget(change.folder, change.path);
  const bool is_folder = change.state == SandboxChange::State::folder;
  if (!is_folder && !change.has_text) return false;
  if (bytes_ + change.text.size() > kMaxKept || files_.size() >= kMaxKeptFiles) return false;
  bytes_ += change.text.size();
  files_[{change.folder, change.path}] = {.path = change.path,
                                          .text = change.text,
                                          .mode = change.mode,
                                          .time_ns = change.time_ns,
                                          .is_link = change.is_link,
                                          .is_folder = is_folder};
  return true;
}

void KeptFiles::keep_removed(size_t folder, const std::string& path) {
  forget(folder, path);
  if (gone_.size() < kMaxKeptFiles) gone_.emplace(folder, path);
}

void KeptFiles::keep_removed_folder(size_t folder, const std::string& path,
                                    const std::string& absolute, std::vector<std::string> removed) {
  forget(folder, path);
  const auto written = written_at(absolute);
  if (written && gone_folders_.size() < kMaxKeptFiles)
    gone_folders_[{folder, path}] = {*written, std::move(removed)};
}

void KeptFiles::forget(size_t folder, const std::string& path) {
  const Key key{folder, path};
  gone_.erase(key);
  gone_folders_.erase(key);
  modes_.erase(key);
  const auto found = files_.find(key);
  if (found == files_.end()) return;
  bytes_ -= found->second.text.size();
  files_.erase(found);
}

bool KeptFiles::has(size_t folder, const std::string& path) const {
  return files_.contains({folder, path});
}

std::optional<std::string> KeptFiles::path_of(std::string_view text) const {
  const auto found = std::ranges::find_if(files_, [&](const auto& each) {
    const SandboxFolder::File& file = each.second;
    return !file.is_link && !file.is_folder && file.text == text;
  });
  return found == files_.end() ? std::nullopt : std::optional(found->first.second);
}

void KeptFiles::set_mode(const SandboxChange& change) {
  const auto kept = files_.find({change.folder, change.path});
  if (kept != files_.end()) {
    kept->second.mode = change.mode;
    kept->second.time_ns = change.time_ns;
    return;
  }
  if (modes_.size() >= kMaxKeptFiles) return;
  modes_[{change.folder, change.path}] = {change.mode, change.time_ns, fnv1a(change.text)};
}

// Folders in which there is something again are kept no longer, and neither are those that they lie
// in.
void KeptFiles::hide_folders(std::vector<SandboxFolder>& folders, const std::vector<Laid>& laid,
                             const std::vector<Paths>& removed) {
  std::vector<Key> back;
  for (const auto& [key, gone] : gone_folders_) {
    const auto& [folder, path] = key;
    if (folder >= folders.size()) continue;
    const auto is_removed = [&](const std::string& file) { return removed[folder].contains(file); };
    if (laid[folder].is_in_the_way(path) ||
        written_at(join_path(folders[folder].folder, path)) != gone.written ||
        !std::ranges::all_of(gone.removed, is_removed))
      back.push_back(key);
  }
  for (auto& [folder, path] : back) {
    for (size_t end = path.size(); end != std::string::npos && end > 0;
         end = path.rfind('/', end - 1))
      gone_folders_.erase({folder, path.substr(0, end)});
  }
  for (const auto& [key, gone] : gone_folders_) {
    if (key.first < folders.size()) folders[key.first].absent.push_back(key.second);
  }
}

void KeptFiles::add_to(std::vector<SandboxFolder>& folders) {
  std::vector<Laid> taken(folders.size());
  std::vector<Paths> removed;  // by the draft
  for (const SandboxFolder& each : folders)
    removed.emplace_back(each.absent.begin(), each.absent.end());
  for (size_t i = 0; i < folders.size(); ++i) {
    for (SandboxFolder::File& draft : folders[i].drafts) {
      taken[i].add(draft);
      const auto mode = modes_.find({i, draft.path});
      if (mode == modes_.end()) continue;
      draft.mode = mode->second.mode;
      if (mode->second.hash == fnv1a(draft.text)) draft.time_ns = mode->second.time_ns;
    }
  }
  auto all = taken;  // with what is kept
  for (const auto& [key, file] : files_) {
    if (key.first >= folders.size() || taken[key.first].is_in_the_way(key.second)) continue;
    folders[key.first].drafts.push_back(file);
    all[key.first].add(file);
  }
  // The draft may have removed what a kept file has taken the place of.
  for (size_t i = 0; i < folders.size(); ++i) {
    std::erase_if(folders[i].absent, [&](const std::string& path) {
      return !taken[i].is_in_the_way(path) && all[i].is_in_the_way(path);
    });
  }
  for (const auto& [folder, path] : gone_) {
    if (folder < folders.size() && !all[folder].is_in_the_way(path))
      folders[folder].absent.push_back(path);
  }
  hide_folders(folders, all, removed);
  // Files whose text is the disk's.
  for (const auto& [key, mode] : modes_) {
    const auto& [folder, path] = key;
    if (folder >= folders.size() || all[folder].is_in_the_way(path)) continue;
    const auto hides = [&](const std::string& gone) {
      return path == gone || path.starts_with(gone + "/");
    };
    if (std::ranges::any_of(folders[folder].absent, hides)) continue;
    auto file = file_on_disk(folders[folder].folder, path, kMaxModeFile);
    if (!file || file->is_link) continue;
    file->mode = mode.mode;
    folders[folder].drafts.push_back(std::move(*file));
  }
}

}  // namespace bodkin
