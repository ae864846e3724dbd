#include "agent/sandbox/kept_files.h"

#include <algorithm>
#include <optional>

#include "agent/sandbox/scratch.h"
#include "agent/support/fnv1a.h"

namespace bodkin {

namespace {

constexpr uint64_t kMostKept = 64u << 20;  // bytes
constexpr size_t kMostFiles = 20'000;
constexpr uint64_t kMostOfFile = 1u << 20;  // bytes of a file whose mode alone was changed

// Does the draft have something at this path, above it or below it?
bool is_in_the_way(const std::set<std::string>& taken, const std::string& path) {
  if (taken.contains(path)) return true;
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (taken.contains(path.substr(0, end))) return true;
  }
  const auto next = taken.lower_bound(path + "/");
  return next != taken.end() && next->starts_with(path + "/");
}

}  // namespace

bool KeptFiles::keep(const SandboxChange& change) {
  forget(change.folder, change.path);
  const bool is_folder = change.state == SandboxChange::State::folder;
  if (!is_folder && !change.has_text) return false;
  if (bytes_ + change.text.size() > kMostKept || files_.size() >= kMostFiles) return false;
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
  if (gone_.size() < kMostFiles) gone_.emplace(folder, path);
}

void KeptFiles::forget(size_t folder, const std::string& path) {
  const Key key{folder, path};
  gone_.erase(key);
  modes_.erase(key);
  const auto found = files_.find(key);
  if (found == files_.end()) return;
  bytes_ -= found->second.text.size();
  files_.erase(found);
}

bool KeptFiles::has(size_t folder, const std::string& path) const {
  return files_.contains({folder, path});
}

void KeptFiles::set_mode(const SandboxChange& change) {
  const auto kept = files_.find({change.folder, change.path});
  if (kept != files_.end()) {
    kept->second.mode = change.mode;
    kept->second.time_ns = change.time_ns;
    return;
  }
  if (modes_.size() >= kMostFiles) return;
  modes_[{change.folder, change.path}] = {change.mode, change.time_ns, fnv1a(change.text)};
}

void KeptFiles::add_to(std::vector<SandboxFolder>& folders) const {
  std::vector<std::set<std::string>> taken(folders.size());
  for (size_t i = 0; i < folders.size(); ++i) {
    for (SandboxFolder::File& draft : folders[i].drafts) {
      taken[i].insert(draft.path);
      const auto mode = modes_.find({i, draft.path});
      if (mode == modes_.end()) continue;
      draft.mode = mode->second.mode;
      if (mode->second.hash == fnv1a(draft.text)) draft.time_ns = mode->second.time_ns;
    }
  }
  auto all = taken;  // with what is kept
  for (const auto& [key, file] : files_) {
    if (key.first >= folders.size() || is_in_the_way(taken[key.first], key.second)) continue;
    folders[key.first].drafts.push_back(file);
    all[key.first].insert(key.second);
  }
  // The draft may have removed what a kept file has taken the place of.
  for (size_t i = 0; i < folders.size(); ++i) {
    std::erase_if(folders[i].gone, [&](const std::string& path) {
      return !is_in_the_way(taken[i], path) && is_in_the_way(all[i], path);
    });
  }
  for (const auto& [folder, path] : gone_) {
    if (folder < folders.size() && !is_in_the_way(all[folder], path))
      folders[folder].gone.push_back(path);
  }
  // Files whose text is the disk's.
  for (const auto& [key, mode] : modes_) {
    const auto& [folder, path] = key;
    if (folder >= folders.size() || is_in_the_way(all[folder], path)) continue;
    if (std::ranges::find(folders[folder].gone, path) != folders[folder].gone.end()) continue;
    auto file = file_on_disk(folders[folder].folder, path, kMostOfFile);
    if (!file || file->is_link) continue;
    file->mode = mode.mode;
    folders[folder].drafts.push_back(std::move(*file));
  }
}

}  // namespace bodkin
