// Shows what this ask has changed, and takes it back.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "agent/tools/tool_functions.h"
#include "agent/workspace/secrets.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

constexpr size_t kMaxDiffBytes = 60'000;

}  // namespace

ToolOutcome undo_edit(ToolBench& bench, const nlohmann::json& arguments, const Task& task) {
  const auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  auto& taken = bench.taken;
  const auto found = std::ranges::find(taken | std::views::reverse, *path, &ChangedFile::last_path);
  if (found == taken.rend())
    return failed("No edit of " + *path + " in this request is left to undo.");
  const auto last = std::prev(found.base());
  const auto now = bench.draft.read(*path, task);
  if (!now && now.error().code != Error::Code::not_found) return failed(now.error());
  const std::optional<Text> text = now ? std::optional(now->text) : std::nullopt;
  if (text != last->after)
    return failed(*path + " has changed since its last edit, which cannot be undone.");
  ChangedFile file = change_between(*path, text, last->before);
  file.is_whole = file.before && file.after;
  if (last->rename_to) file.rename_to = last->path;
  const auto index = last - taken.begin();
  ToolOutcome outcome = take_files(bench, {file}, task);
  if (outcome.is_error) return outcome;
  // The edit and its undoing cannot be taken back any more.
  taken.pop_back();
  taken.erase(taken.begin() + index);
  outcome.content = "Undid the last edit of " + *path + ".\n" + outcome.content;
  return outcome;
}

ToolOutcome diff(ToolBench& bench, const nlohmann::json&, const Task& task) {
  std::string result;
  size_t left_out = 0;
  for (const ChangedFile& file : bench.draft.files()) {
    const std::string& path = file.last_path();
    // The model sees them without secrets.
    const auto shown = file.after ? bench.shown.read(path, task) : Result<Snapshot>(Snapshot{});
    if (!shown) continue;
    std::optional<Text> base;
    if (file.before) base = Text(hide_secrets(file.before->str()));
    const std::string one =
        unified_diff(file.path, path, base ? &*base : nullptr, file.after ? &shown->text : nullptr);
    if (result.size() + one.size() > kMaxDiffBytes) {
      result += fmt::format("{}: its diff is left out, it is too long; read the file.\n", path);
      if (++left_out == 20) break;
      continue;
    }
    result += one.empty() && file.rename_to ? file.path + " is moved to " + path + ".\n" : one;
  }
  return {result.empty() ? "Nothing has been changed." : std::move(result)};
}

}  // namespace bodkin
