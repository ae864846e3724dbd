#include "edits/apply/named_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "edits/lazy/part_of_file.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

template <class Plan, class Do>
void for_each_path(Plan& plan, const Do& each) {
  for (auto& change : plan.changes) {
    each(change.path);
    if (change.rename_to) each(*change.rename_to);
  }
}

// The plan with every absolute path or URI replaced by the file's own name; nullopt if it has none.
// A path outside stays as it is written, and is refused.
std::optional<EditPlan> with_paths_inside(const EditPlan& plan, const Files& files) {
  // A relative path is called as it is written: no need to look at the disk.
  const auto is_absolute = [](std::string_view path) {
    return path.starts_with('/') || path.starts_with('~') || path.find(':') != path.npos;
  };
  bool any = false;
  for_each_path(plan, [&](const std::string& path) { any |= is_absolute(plain_path(path)); });
  if (!any) return std::nullopt;
  EditPlan own = plan;
  for_each_path(own, [&](std::string& path) {
    const std::string plain = plain_path(path);
    if (!is_absolute(plain)) return;
    if (auto in = files.inside(plain)) path = *std::move(in);
  });
  return own;
}

// Merges updates that name one file in several ways ("a.py", "./src/a.py"); nullopt if none do.
std::optional<EditPlan> with_merged_updates(const EditPlan& plan, const Files& files) {
  if (plan.changes.size() < 2) return std::nullopt;
  std::map<std::string_view, size_t> names;  // the last parts of the paths
  const auto last_part = [](std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
  };
  for (const FileChange& change : plan.changes) ++names[last_part(change.path)];
  const auto is_shared = [&](const FileChange& change) {
    return change.kind == FileChange::Kind::update && names[last_part(change.path)] > 1;
  };
  if (std::none_of(plan.changes.begin(), plan.changes.end(), is_shared)) return std::nullopt;
  EditPlan joined = plan;
  for (FileChange& change : joined.changes) {
    if (!is_shared(change)) continue;
    TargetFile target = target_file(files, change.path, true);
    if (target.why_outside.empty()) change.path = std::move(target.path);
  }
  merge_and_sort_changes(joined);
  return joined;
}

}  // namespace

ParseOptions with_files(ParseOptions options, const Files& files) {
  options.is_file = [&](std::string_view path) { return is_file(files, path); };
  options.is_exact_name = [&](std::string_view path) { return is_exact_name(files, path); };
  options.is_whole_file = [&](std::string_view path, const std::string& contents) {
    const TargetFile target = target_file(files, std::string(path), false);
    if (!target.text || is_quote(contents, *target.text)) return false;
    return !left_out(target.path, *target.text, contents, nullptr) ||
           (keeps_most(contents, *target.text) &&
            Text(contents).line_count() >= target.text->line_count());
  };
  return options;
}

std::optional<EditPlan> with_paths_of_files(const EditPlan& plan, const Files& files) {
  std::optional<EditPlan> inside = with_paths_inside(plan, files);
  std::optional<EditPlan> merged = with_merged_updates(inside ? *inside : plan, files);
  return merged ? merged : inside;
}

// Why a path means no file, with those that it might mean.
std::string no_such_file(const Files& files, const std::string& path) {
  constexpr size_t kMaxNamed = 3;
  std::vector<std::string> alike = similar_paths(files, path);
  if (alike.empty()) alike = files.paths_named(path);
  if (alike.size() == 1) return fmt::format("there is no file {}, only {}", path, alike.front());
  if (alike.empty())
    return fmt::format("there is no file {}, and no single existing file it could refer to", path);
  const size_t named = std::min(alike.size(), kMaxNamed);
  return fmt::format("there is no file {}; it could refer to {}{}", path,
                     fmt::join(alike.begin(), alike.begin() + named, " or "),
                     named < alike.size() ? ", among others" : "");
}

}  // namespace bodkin
