#include "agent/ask/draft.h"

#include <algorithm>
#include <utility>

namespace bodkin {

namespace {

constexpr size_t kMaxListed = 100'000;

bool is_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.empty() || folder == ".") return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

Draft::Draft(Workspace& below) : below_(below) {}

DraftFile* Draft::file_at(std::string_view path) {
  for (auto& [key, file] : files_) {
    if ((file.moved_to ? *file.moved_to : file.path) == path && file.text) return &file;
  }
  return nullptr;
}

std::string Draft::key_of(std::string_view path) {
  const DraftFile* file = file_at(path);
  return file ? file->path : std::string(path);
}

void Draft::begin_with(std::vector<DraftFile> files) {
  for (DraftFile& file : files) files_.insert_or_assign(file.path, std::move(file));
}

void Draft::take(const ApplyReport& report) {
  for (const ChangedFile& change : report.files) {
    const std::string key = key_of(change.path);
    auto [place, is_new] = files_.try_emplace(key);
    DraftFile& file = place->second;
    if (is_new) {
      file.path = key;
      if (change.before) {
        const auto known = read_.find(key);
        file.base = known != read_.end() && known->second.text == *change.before
                        ? known->second
                        : Snapshot{key, std::nullopt, *change.before};
      }
    }
    for (const HunkReport& hunk : report.hunks) {
      if (hunk.path == change.path && hunk.match)
        file.quality = std::max(file.quality, hunk.match->quality);
    }
    file.text = change.after;
    if (!change.after) file.moved_to.reset();
    if (change.rename_to) file.moved_to = *change.rename_to;
    if (file.moved_to == file.path) file.moved_to.reset();
  }
  new_changes_.insert(new_changes_.end(), report.files.begin(), report.files.end());
}

std::vector<ChangedFile> Draft::new_changes() { return std::exchange(new_changes_, {}); }

std::vector<DraftFile> Draft::files() const {
  std::vector<DraftFile> result;
  for (const auto& [key, file] : files_) {
    const bool same = !file.moved_to && file.base.has_value() == file.text.has_value() &&
                      (!file.base || file.base->text == *file.text);
    if (!same) result.push_back(file);
  }
  return result;
}

Result<Snapshot> Draft::read(std::string_view path, const Task& task) {
  if (const DraftFile* file = file_at(path)) {
    return Snapshot{std::string(path), file->base ? file->base->version : std::nullopt,
                    *file->text};
  }
  const auto known = files_.find(path);
  if (known != files_.end()) {  // removed or moved away
    return fail(Error::Code::not_found,
                std::string(path) +
                    (known->second.text ? " was moved to " + known->second.moved_to.value_or("")
                                        : " was removed by one of your edits") +
                    ".");
  }
  auto snapshot = below_.read(path, task);
  if (snapshot) read_.insert_or_assign(std::string(path), *snapshot);
  return snapshot;
}

Result<std::vector<std::string>> Draft::list(std::string_view folder, size_t limit,
                                             const Task& task) {
  auto paths = below_.list(folder, limit, task);
  if (!paths) return paths;
  for (const auto& [key, file] : files_) {
    if (!file.text || file.moved_to) std::erase(*paths, key);
    if (file.text) {
      const std::string& now = file.moved_to ? *file.moved_to : file.path;
      if (is_below(now, folder) && !std::ranges::binary_search(*paths, now)) {
        paths->insert(std::ranges::lower_bound(*paths, now), now);
      }
    }
  }
  if (paths->size() > limit) paths->resize(limit);
  return paths;
}

Roots Draft::roots(const Task& task) { return below_.roots(task); }

std::vector<std::string> Draft::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  for (const auto& [key, file] : files_) {
    result.push_back(key);
    if (file.moved_to) result.push_back(*file.moved_to);
  }
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

std::optional<Text> WorkspaceFiles::read(std::string_view path) const {
  auto snapshot = workspace_.read(path, task_);
  if (snapshot) return std::move(snapshot->text);
  if (snapshot.error().code != Error::Code::not_found && !refusal_) refusal_ = snapshot.error();
  return std::nullopt;
}

std::vector<std::string> WorkspaceFiles::paths() const {
  auto paths = workspace_.list("", kMaxListed, task_);
  return paths ? std::move(*paths) : std::vector<std::string>();
}

std::string changes_in_words(const std::vector<DraftFile>& files) {
  std::string words;
  for (const DraftFile& file : files) {
    words += (words.empty() ? "Changed " : ", ") + file.path;
    if (file.moved_to) {
      words += " (moved to " + *file.moved_to + ")";
    } else if (!file.text || !file.base) {
      words += file.text ? " (new)" : " (removed)";
    }
  }
  return words.empty() ? words : words + ".";
}

}  // namespace bodkin
