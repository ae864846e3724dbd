// Edits that name lines, and several replacements in one call.
#include <fmt/format.h>

#include <algorithm>

#include "agent/context/symbols.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/support/json.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/redaction.h"
#include "edits/apply/explain.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr int64_t kMaxPadding = 1000;  // empty lines

ToolOutcome change_lines(ToolBench& bench, const json& arguments, const std::string& text,
                         const Task& task) {
  const auto file = file_to_edit(bench, arguments, task);
  if (!file) return file.error();
  const int64_t start = arguments["start_line"].get<int64_t>();
  const auto count = static_cast<int64_t>(line_count_of(file->text));
  int64_t end = arguments.value("end_line", count);
  if (arguments.value("past_end", false)) end = std::min(end, count);
  if (std::string reason = outside(*file, start, end); !reason.empty())
    return misplaced(failed(std::move(reason)), file->path);
  if (text.size() > kMaxEditBytes) return failed("The edit is larger than 1 MB.");
  return take_json(
      bench,
      {{"path", file->path}, {"start_line", start}, {"end_line", end}, {"replacement", text}},
      task);
}

}  // namespace

std::expected<FileToEdit, ToolOutcome> file_to_edit(ToolBench& bench, const json& arguments,
                                                    const Task& task) {
  auto path = path_to_edit(bench, arguments, task);
  if (!path) return std::unexpected(failed(path.error()));
  const auto file = bench.draft.read(*path, task);
  if (!file)
    return std::unexpected(
        misplaced(failed(missing(*path, file.error(), bench.draft, task)), *path));
  if (const auto reason = not_as_seen(bench, *path, file->text))
    return std::unexpected(misplaced(failed(*reason), *path));
  auto shown = bench.shown.read(*path, task);
  if (!shown) return std::unexpected(failed(shown.error()));
  return FileToEdit{std::move(*path), std::move(shown->text)};
}

ToolOutcome take_json(ToolBench& bench, const json& edit, const Task& task) {
  auto plan = plan_of_json(edit, edit["path"]);
  if (!plan) return failed(plan.error());
  return take_edits(bench, *plan, task);
}

std::string outside(const FileToEdit& file, int64_t start, int64_t end) {
  const auto count = static_cast<int64_t>(line_count_of(file.text));
  if (start >= 1 && start <= end && end <= count) return "";
  return fmt::format("{} has {} lines, so there are no lines {} to {}.", file.path, count, start,
                     end);
}

ToolOutcome already_exists(const std::string& path) {
  return misplaced(failed(path + " already exists.", "To change it, replace some of its text."),
                   path, FailureKind::exists);
}

ToolOutcome multi_edit(ToolBench& bench, const json& arguments, const Task& task) {
  const auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  const json& edits = arguments["edits"];
  if (edits.empty()) return failed("The list of edits is empty.");
  if (text_of_json(edits).size() > kMaxEditBytes) return failed("The edits are larger than 1 MB.");
  // The first edit may create the file.
  const bool creates = string_of(edits[0], "old_str").empty();
  Text before, now;
  if (!creates) {
    const auto file = file_to_edit(bench, arguments, task);
    if (!file) return file.error();
    before = now = file->text;
  } else if (bench.draft.read(*path, task)) {
    return already_exists(*path);
  } else {
    now = Text(string_of(edits[0], "new_str"));
  }
  MatchQuality quality = MatchQuality::exact;
  std::string notes;
  for (size_t i = creates ? 1 : 0; i < edits.size(); ++i) {
    const auto refused = [&](ToolOutcome outcome) {
      outcome.content = fmt::format("Edit {} of {}: {}\nNone of the edits was made.", i + 1,
                                    edits.size(), outcome.content);
      return outcome;
    };
    json edit = edits[i];
    edit["path"] = *path;
    if (string_of(edit, "old_str").empty())
      return refused(
          failed("The text to replace is empty, and only the first edit can create the file."));
    auto plan = plan_of_json(edit, *path);
    if (!plan) return refused(failed(plan.error()));
    const ApplyReport report = apply(*plan, OneFile(*path, now), bench.syntax, {});
    if (!report.ok) return refused(failed(report));
    notes += explain(report);
    if (report.files.empty() || !report.files[0].after) continue;
    now = *report.files[0].after;
    quality = std::max(quality, report.files[0].quality);
  }
  if (creates) {
    return take_whole(bench, FileChange::Kind::create, *path, now.str(), task);
  }
  if (now == before) return {"Nothing changed: the file already has this text.\n" + notes};
  std::vector<ChangedFile> all{change_between(*path, before, now)};
  all[0].quality = quality;
  if (const auto back = put_secrets_back(all, bench.draft, task); !back)
    return failed(back.error());
  ToolOutcome outcome = take_files(bench, all, task);
  if (!outcome.is_error) outcome.content += notes;
  return outcome;
}

ToolOutcome insert_lines(ToolBench& bench, const json& arguments, const Task& task) {
  std::string text = string_of(arguments, "text");
  if (text.size() > kMaxEditBytes) return failed("The edit is larger than 1 MB.");
  const auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  int64_t after = arguments["after_line"].get<int64_t>();
  const auto there = bench.draft.read(*path, task);
  const bool is_new = !there && there.error().code == Error::Code::not_found;
  const bool may_pad = arguments.value("past_end", false);
  int64_t count = 0;
  if (!is_new || !may_pad) {
    const auto file = file_to_edit(bench, arguments, task);
    if (!file) return file.error();
    count = static_cast<int64_t>(line_count_of(file->text));
  }
  if (after < 0 || after > (may_pad ? count + kMaxPadding : count)) {
    return misplaced(
        failed(fmt::format("{} has {} lines, so nothing can be inserted at this place.", *path,
                           count)),
        *path);
  }
  if (after > count) {
    text.insert(0, static_cast<size_t>(after - count), '\n');
    after = count;
  }
  if (is_new) {
    return take_whole(bench, FileChange::Kind::create, *path, std::move(text), task);
  }
  return take_json(bench, {{"path", *path}, {"insert_line", after}, {"new_str", text}}, task);
}

ToolOutcome replace_lines(ToolBench& bench, const json& arguments, const Task& task) {
  return change_lines(bench, arguments, string_of(arguments, "text"), task);
}

ToolOutcome remove_lines(ToolBench& bench, const json& arguments, const Task& task) {
  return change_lines(bench, arguments, "", task);
}

}  // namespace bodkin
