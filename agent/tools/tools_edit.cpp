#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "agent/context/check_feedback.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/placing/new_files.h"
#include "agent/placing/placing.h"
#include "agent/platform/paths.h"
#include "agent/support/path_text.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/redaction.h"
#include "edits/apply/explain.h"
#include "edits/formats/parse.h"
#include "edits/place/leaves_out.h"
#include "edits/place/write.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "grammars/certain_errors.h"

namespace bodkin {

namespace {

using nlohmann::json;

// Why the plan's result must be refused; nullopt if it may be used. Checks the resolved files: a
// path in a patch need not be exact.
std::optional<ToolOutcome> refusal_of(ToolBench& bench, const std::vector<ChangedFile>& files,
                                      const Task& task) {
  if (const auto may = check_targets(files, bench.draft, bench.guard, task); !may) {
    return failed(may.error());
  }
  for (const ChangedFile& file : files) {
    const std::string target = file.last_path();
    for (const std::string& path : {file.path, target}) {
      if (!is_plain_path(path)) return failed(path + " is not a path in the workspace.");
      if (file.before && path == file.path) continue;
      // An existing but unreadable file (too large, not text) must not look like one to create.
      const auto there = bench.draft.read(path, task);
      if (!there && there.error().code != Error::Code::not_found) return failed(there.error());
      if (there && path != file.path) return failed(path + " already exists.");
    }
    if (!file.before) continue;
    if (const auto reason = not_as_seen(bench, file.path, *file.before))
      return misplaced(failed(*reason), file.path);
  }
  return std::nullopt;
}

ToolOutcome unreadable(ToolOutcome failed) {
  failed.unreadable = true;
  return failed;
}

ToolOutcome other_file(const std::string& called, const std::string& in_patch) {
  return failed(fmt::format("The call names {}, but the patch changes {}.", called, in_patch),
                "Nothing was changed: send one call for each file.");
}

bool is_folder(const std::string& path, Draft& draft, const Task& task) {
  const auto place = draft.roots(task).find(path);
  std::error_code error;
  if (place && std::filesystem::is_directory(join_path(place->root.folder, place->inside), error))
    return true;
  const auto below = draft.list(path, 1, task);
  return below && !below->empty();
}

// Whether the text of a file is in a code fence, as an answer shows it. Prose may consist of a
// fence, unless that says it is Markdown; and it may begin and end with two of them.
bool is_in_fence(const std::string& path, const std::string& contents) {
  std::vector<std::string> lines = lines_of(contents);
  while (!lines.empty() && trimmed(lines.back()).empty()) lines.pop_back();
  if (lines.size() < 3 || !lines.front().starts_with("```") || trimmed(lines.back()) != "```")
    return false;
  if (!kind_of(path).prose) return true;
  const std::string says = lower_case(trimmed(std::string_view(lines.front()).substr(3)));
  if (says != "markdown" && says != "md") return false;
  bool is_open = true, is_first = true;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].starts_with("```")) continue;
    if (!is_open) is_first = false;
    is_open = !is_open || trimmed(lines[i]) != "```";
  }
  return is_open || is_first;
}

// Why the plan must not be applied; nullopt if it may.
std::optional<ToolOutcome> refusal_of(ToolBench& bench, const EditPlan& plan, const Task& task) {
  for (const FileChange& change : plan.changes) {
    if (!is_in_fence(change.path, change.contents)) continue;
    const auto now = bench.draft.read(change.path, task);
    if (now && now->text.str().starts_with("```")) continue;
    return failed(fmt::format("The new text of {} is in a fence of its own.", change.path),
                  "Send the lines without the fence.");
  }
  return std::nullopt;
}

std::string told(ToolBench& bench, const ChangedFile& changed) {
  if (!changed.after) return "Removed " + changed.path + ".\n";
  std::string result = (changed.before ? "Edited " : "Created ") + changed.path;
  if (changed.before && !changed.edits.empty()) {
    std::string lines;
    for (const Replacement& one : changed.edits) {
      lines +=
          fmt::format("{}{}", lines.empty() ? "" : ", ", changed.before->line_of(one.offset) + 1);
    }
    result += fmt::format(" (at line {})", lines);
  }
  if (changed.rename_to) result += ", moved to " + *changed.rename_to;
  result += ".\n";
  if (!bench.syntax) return result;
  const Text before = changed.before.value_or(Text());
  const auto errors = certain_errors(*bench.syntax, changed.path, before, *changed.after);
  for (const size_t line : errors.value_or(std::vector<size_t>())) {
    result += fmt::format("New syntax error at line {}: {}\n", line + 1, changed.after->line(line));
  }
  return result;
}

}  // namespace

std::string check_words(ToolBench& bench, const Task& task) {
  if (!bench.check_soon) return "";
  const auto check = bench.check_soon(task);
  if (!check) return "No language server has looked at it yet.\n";
  if (check->by.empty() || check->state == CheckResult::State::not_checked) return "";
  const std::string by = fmt::format("{}", fmt::join(check->by, ", "));
  if (check->new_errors() == 0) return by + ": no new errors.\n";
  return fmt::format("{} reports new problems:\n{}", by,
                     listed_errors(check->added, bench.shown, task));
}

// Decides: which edits are refused because the model has not seen the text.
std::optional<Error> not_as_seen(const ToolBench& bench, const std::string& path, const Text& now) {
  if (!bench.reads_first) return std::nullopt;
  const auto seen = bench.conversation.seen.find(path);
  if (seen == bench.conversation.seen.end())
    return Error{.code = Error::Code::stale,
                 .message = path + " has not been read.",
                 .advice = "Read it before you edit it."};
  if (seen->second == hash_of(now)) return std::nullopt;
  return Error{.code = Error::Code::stale,
               .message = path + " has changed since it was read.",
               .advice = "Read it again."};
}

ToolOutcome take_files(ToolBench& bench, const std::vector<ChangedFile>& files, const Task& task) {
  if (auto refused = refusal_of(bench, files, task)) return *std::move(refused);
  if (bench.gate) {
    const auto allowed = bench.gate->admit_edit(files, bench.draft, task);
    if (!allowed) {
      ToolOutcome denied = failed(allowed.error());
      denied.denied = true;
      return denied;
    }
  }
  bench.draft.take(files);
  remember_texts(files, bench);
  bench.taken.insert(bench.taken.end(), files.begin(), files.end());
  std::string result;
  for (const ChangedFile& changed : files) result += told(bench, changed);
  result += check_words(bench, task);
  return {std::move(result), false, true};
}

ToolOutcome take_edits(ToolBench& bench, const EditPlan& plan, const Task& task,
                       const ApplyOptions& options) {
  if (auto refused = refusal_of(bench, plan, task)) return *std::move(refused);
  const WorkspaceFiles files(bench.shown, task);
  const KnownFiles known(files, nullptr, task.stop);
  ApplyReport report = apply(plan, known, bench.syntax, options);
  fit_new_files(report, known);
  if (!report.ok) {
    ToolOutcome outcome = failed(report);
    outcome.reason += changed_since_read(report, known, bench);
    if (files.refusal()) outcome.content += "\n" + files.refusal()->message;
    return outcome;
  }
  if (const auto back = put_secrets_back(report.files, bench.draft, task); !back) {
    return failed(back.error());
  }
  if (report.files.empty()) {
    return {"Nothing changed: the file already has this text.\n" + explain(report)};
  }
  if (!bench.reads_first) {
    if (auto blind = blind_edit_in(plan, report, bench))
      return misplaced(failed(blind->why), blind->path);
  }
  ToolOutcome outcome = take_files(bench, report.files, task);
  if (!outcome.is_error) outcome.content += explain(report);
  return outcome;
}

ToolOutcome take_whole(ToolBench& bench, FileChange::Kind kind, const std::string& path,
                       std::string contents, const Task& task) {
  FileChange change;
  change.kind = kind;
  change.path = path;
  change.contents = std::move(contents);
  return take_edits(bench, {{std::move(change)}, {}}, task);
}

Result<std::string> path_to_edit(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return path;
  if (path->empty()) return fail(Error::Code::invalid_input, "The path is empty.");
  if (bench.guard.is_private(*path)) {
    return fail(Error::Code::invalid_input, *path + " is private and cannot be edited.");
  }
  return path;
}

ToolOutcome edit(ToolBench& bench, const json& arguments, const Task& task) {
  const auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  const std::string old_text = string_of(arguments, "old_str");
  const std::string new_text = string_of(arguments, "new_str");
  if (old_text.size() + new_text.size() > kMaxEditBytes)
    return failed("The edit is larger than 1 MB.");
  const auto file = bench.draft.read(*path, task);
  if (!file && file.error().code != Error::Code::not_found) return failed(file.error());
  if (old_text.empty()) {
    const bool is_there = file && file->text.size() > 0;
    if (is_there && file->text.str() != new_text) return already_exists(*path);
    if (is_there) return {"Nothing changed: the file already has this text.\n"};
    if (file) bench.conversation.seen[*path] = hash_of(file->text);  // it is empty: nothing to see
    const auto kind = file ? FileChange::Kind::overwrite : FileChange::Kind::create;
    return take_whole(bench, kind, *path, new_text, task);
  }
  if (!file) return misplaced(failed(missing(*path, file.error(), bench.draft, task)), *path);
  if (const auto reason = not_as_seen(bench, *path, file->text))
    return misplaced(failed(*reason), *path);
  if (old_text == new_text)
    return failed("The old and the new text are equal, so nothing would change.");
  auto plan = plan_of_json({{"path", *path},
                            {"old_str", old_text},
                            {"new_str", new_text},
                            {"replace_all", arguments.value("replace_all", false)}},
                           *path);
  if (!plan) return failed(plan.error());
  if (plan->changes.size() != 1) return failed("The arguments contain no edit.");
  return take_edits(bench, *plan, task);
}

ToolOutcome apply_patch(ToolBench& bench, const json& arguments, const Task& task) {
  const std::string patch = string_of(arguments, "patch");
  if (patch.size() > kMaxEditBytes) return failed("The patch is larger than 1 MB.");
  ParseOptions options;
  options.default_path = string_of(arguments, "path");
  auto plan = parse_reply(patch, options);
  if (!plan) return unreadable(failed(plan.error()));
  if (plan->changes.empty())
    return unreadable(failed("The patch contains no edits.", "Check its first line."));
  const Roots roots = bench.draft.roots(task);
  const auto folder = folder_in_workspace(string_of(arguments, "folder"), roots);
  if (!folder) return failed(folder.error());
  if (!folder->empty() && !is_folder(*folder, bench.draft, task))
    return failed(*folder + " is not a folder.");
  const auto from_folder = [&](const std::string& path) {
    return folder->empty() || os::is_absolute(path) ? path : join_path(*folder, path);
  };
  std::string only;  // the file that the call names: the patch's may be no other
  if (!options.default_path.empty()) {
    auto path = path_in_workspace(from_folder(options.default_path), roots);
    if (!path) return failed(path.error());
    only = std::move(*path);
  }
  for (FileChange& change : plan->changes) {
    auto path = path_in_workspace(from_folder(change.path), roots);
    if (!path) return failed(path.error());
    if (!only.empty() && !may_mean(*path, only)) return unreadable(other_file(only, *path));
    change.path = only.empty() ? std::move(*path) : only;
    if (!change.rename_to) continue;
    auto target = path_in_workspace(from_folder(*change.rename_to), roots);
    if (!target) return failed(target.error());
    change.rename_to = std::move(*target);
  }
  merge_and_sort_changes(*plan);  // two of its names may have meant one file
  return take_edits(bench, *plan, task, options_of(bench));
}

ToolOutcome write_file(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  std::string contents = string_of(arguments, "content");
  if (contents.size() > kMaxEditBytes) return failed("The content is larger than 1 MB.");
  const auto file = bench.draft.read(*path, task);
  if (!file && file.error().code != Error::Code::not_found) return failed(file.error());
  if (file && bench.reads_first && bench.read_lines.contains(*path)) {
    if (const auto reason = not_as_seen(bench, *path, file->text))
      return misplaced(failed(*reason), *path);
    return misplaced(failed(*path + " has been read only in part.",
                            "Read the rest of it before you write all of it."),
                     *path);
  }
  const auto kind = file ? FileChange::Kind::overwrite : FileChange::Kind::create;
  return take_whole(bench, kind, *path, std::move(contents), task);
}

ToolOutcome delete_file(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  const auto file = bench.draft.read(*path, task);
  if (!file) return misplaced(failed(missing(*path, file.error(), bench.draft, task)), *path);
  return take_whole(bench, FileChange::Kind::remove, *path, "", task);
}

}  // namespace bodkin
