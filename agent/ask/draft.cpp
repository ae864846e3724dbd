#include "agent/ask/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/workspace/outside.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

constexpr size_t kMaxListed = 100'000;

bool is_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.empty() || folder == ".") return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool touch(const Replacement& a, const Replacement& b) {
  const size_t a_end = a.offset + a.length, b_end = b.offset + b.length;
  if (a.length == 0 || b.length == 0) return a.offset <= b_end && b.offset <= a_end;
  return a.offset < b_end && b.offset < a_end;
}

// Text put at the top of a file still fits there if its first lines were changed line by line.
bool is_above(const Replacement& mine, const Replacement& theirs, const Text& base) {
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  return mine.offset == 0 && mine.length == 0 && mine.text.ends_with('\n') && theirs.length > 0 &&
         lines(theirs.text) == lines(base.substr(theirs.offset, theirs.length));
}

// Merges what changed `base` into `mine` and into `theirs`; where the two touch, theirs wins.
// `dropped`: the lines of `base` where mine was dropped.
Text with_both(const Text& base, const Text& mine, const Text& theirs,
               std::vector<size_t>& dropped) {
  const std::vector<Replacement> other = changed_lines(base, theirs);
  std::vector<Replacement> all = other;
  for (const Replacement& one : changed_lines(base, mine)) {
    if (std::ranges::find(other, one) != other.end()) continue;
    if (std::ranges::any_of(other, [&](const Replacement& each) {
          return touch(one, each) && !is_above(one, each, base);
        })) {
      dropped.push_back(base.line_of(one.offset));
    } else {
      all.push_back(one);
    }
  }
  std::ranges::sort(all, {}, [](const auto& each) { return std::pair(each.offset, each.length); });
  std::string text;
  size_t at = 0;
  for (const Replacement& one : all) {
    text += base.substr(at, one.offset - at) + one.text;
    at = one.offset + one.length;
  }
  return Text(text + base.substr(at, base.size() - at));
}

}  // namespace

Draft::Draft(Workspace& below) : LayeredWorkspace(below) {}

Draft::Place& Draft::place_at(const std::string& path, const std::optional<Text>& now) {
  auto [found, is_new] = places_.try_emplace(path);
  Place& place = found->second;
  if (is_new && now) {
    const auto known = read_.find(path);
    const bool is_known = known != read_.end() && known->second.text == *now;
    place.base = is_known ? known->second : Snapshot{path, std::nullopt, *now};
    place.text = now;
    place.origin = path;
  }
  return place;
}

void Draft::begin_with(std::vector<ChangedFile> files) {
  for (ChangedFile& file : files) {
    Place& from = places_[file.path];
    if (file.before) from.base = Snapshot{file.path, std::nullopt, *std::move(file.before)};
    from.moved_to = file.rename_to.value_or("");
    Place& now = file.rename_to ? places_[*file.rename_to] : from;
    now.text = std::move(file.after);
    now.quality = file.quality;
    if (now.text && from.base) now.origin = file.path;
  }
}

void Draft::take(const std::vector<ChangedFile>& files) {
  for (const ChangedFile& change : files) {
    Place& place = place_at(change.path, change.before);
    if (!place.text) place.origin.reset();
    place.quality = std::max(place.quality, change.quality);
    place.text = change.after;
    place.moved_to.clear();
    if (!change.after) place.origin.reset();
    if (!change.after || !change.rename_to || *change.rename_to == change.path) continue;
    Place& target = place_at(*change.rename_to, std::nullopt);
    target.text = std::exchange(place.text, std::nullopt);
    target.origin = std::exchange(place.origin, std::nullopt);
    target.quality = place.quality;
    target.moved_to.clear();
    place.moved_to = *change.rename_to;
  }
  new_changes_.insert(new_changes_.end(), files.begin(), files.end());
}

std::vector<Draft::Followed> Draft::follow(
    const std::function<std::optional<Snapshot>(const std::string& path)>& now) {
  std::vector<Followed> followed;
  for (auto& [path, place] : places_) {
    if (!place.base) continue;
    // The place that has this file's text in the draft now.
    const auto target = place.moved_to.empty() ? places_.end() : places_.find(place.moved_to);
    Place* const here = place.text ? &place : target != places_.end() ? &target->second : nullptr;
    if (here && (!here->text || here->origin != path)) continue;
    const bool is_same = here && *here->text == place.base->text && here == &place;
    auto text = is_same ? std::nullopt : now(path);
    if (!text || text->text == place.base->text) continue;
    Followed one{path, {}};
    if (here) {
      here->text = with_both(place.base->text, *here->text, text->text, one.dropped);
    } else {  // it was removed: nobody has seen what it holds now
      one.dropped.push_back(0);
      place.text = text->text;
      place.origin = path;
    }
    place.base = *std::move(text);
    read_.insert_or_assign(path, *place.base);
    followed.push_back(std::move(one));
  }
  return followed;
}

std::vector<Draft::Followed> Draft::follow(const Task& task) {
  return follow([&](const std::string& path) {
    auto now = below_.read(path, task);
    return now ? std::optional(*std::move(now)) : std::nullopt;
  });
}

std::string words_of(const Draft::Followed& file) {
  if (file.dropped.empty()) return "your edits of it were kept";
  std::vector<size_t> lines;
  for (const size_t line : file.dropped) lines.push_back(line + 1);
  return fmt::format("your edits of {} {} were dropped, where it has changed",
                     lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "));
}

std::vector<ChangedFile> Draft::new_changes() { return std::exchange(new_changes_, {}); }

std::vector<ChangedFile> Draft::files() const {
  std::map<std::string, ChangedFile> changed;
  const auto add = [&](const std::string& path, const Place& from, const Place& now) {
    ChangedFile& file = changed[path];
    file.path = path;
    if (from.base) file.before = from.base->text;
    file.after = now.text;
    file.quality = now.quality;
    return &file;
  };
  std::set<std::string> moved;  // their new paths
  for (const auto& [path, place] : places_) {
    if (!place.text || place.base || !place.origin || *place.origin == path) continue;
    const Place& from = places_.at(*place.origin);
    if (from.text) continue;
    add(*place.origin, from, place)->rename_to = path;
    moved.insert(path);
  }
  for (const auto& [path, place] : places_) {
    const bool same = place.base.has_value() == place.text.has_value() &&
                      (!place.base || place.base->text == *place.text);
    if (same || changed.contains(path) || moved.contains(path)) continue;
    add(path, place, place);
  }
  std::vector<ChangedFile> result;
  for (auto& [path, file] : changed) result.push_back(std::move(file));
  return result;
}

Result<Snapshot> Draft::read(std::string_view path, const Task& task) {
  if (const auto known = places_.find(path); known != places_.end()) {
    const Place& place = known->second;
    if (place.text) {
      return Snapshot{std::string(path), place.base ? place.base->version : std::nullopt,
                      *place.text};
    }
    return fail(Error::Code::not_found,
                std::string(path) +
                    (place.moved_to.empty() ? " was removed by one of your edits"
                                            : " was moved to " + place.moved_to) +
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
  for (const auto& [path, place] : places_) {
    if (!place.text) {
      std::erase(*paths, path);
    } else if (is_below(path, folder) && !std::ranges::binary_search(*paths, path)) {
      paths->insert(std::ranges::lower_bound(*paths, path), path);
    }
  }
  if (paths->size() > limit) paths->resize(limit);
  return paths;
}

std::vector<std::string> Draft::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  for (const auto& [path, place] : places_) result.push_back(path);
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

std::string WorkspaceFiles::why_unreadable(std::string_view path) const {
  const auto place = workspace_.roots(task_).find(path);
  if (!place || place->path != path) return "";  // nothing, or it has another name here
  const auto snapshot = workspace_.read(path, task_);
  if (snapshot) return "";
  const Error& error = snapshot.error();
  if (error.code != Error::Code::not_found)
    return error.message.substr(0, error.message.find_last_not_of('.') + 1);
  std::error_code ignored;
  namespace fs = std::filesystem;
  return os::is_symlink(place->absolute, ignored) && !fs::exists(place->absolute, ignored)
             ? fmt::format("{} is a link to a file that is not there", path)
             : "";
}

std::vector<std::string> WorkspaceFiles::paths() const {
  auto paths = workspace_.list("", kMaxListed, task_);
  return paths ? std::move(*paths) : std::vector<std::string>();
}

Result<std::string> WorkspaceFiles::inside(const std::string& path) const {
  return path_inside(path, workspace_.roots(task_));
}

std::string changes_in_words(const std::vector<ChangedFile>& files, std::string_view verb) {
  std::string words;
  for (const ChangedFile& file : files) {
    words += (words.empty() ? std::string(verb) + " " : ", ") + file.path;
    if (file.rename_to) {
      words += " (moved to " + *file.rename_to + ")";
    } else if (!file.after || !file.before) {
      words += file.after ? " (new)" : " (removed)";
    }
  }
  return words.empty() ? words : words + ".";
}

}  // namespace bodkin
