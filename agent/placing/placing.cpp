#include "agent/placing/placing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/placing/made_already.h"
#include "agent/placing/new_files.h"
#include "agent/workspace/redaction.h"
#include "edits/apply/explain.h"
#include "edits/apply/named_files.h"
#include "edits/formats/plain_fences.h"
#include "edits/lazy/part_of_file.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

// Counted as apply() does: a whole-file change is one hunk.
size_t hunks_of(const FileChange& change) {
  return change.kind == FileChange::Kind::update ? change.hunks.size() : 1;
}

size_t hunks_in(const EditPlan& plan) {
  size_t count = 0;
  for (const FileChange& change : plan.changes) count += hunks_of(change);
  return count;
}

// The hunks that were placed, as a separate plan.
EditPlan placed_part(const EditPlan& plan, const ApplyReport& report) {
  EditPlan good;
  if (report.hunks.size() != hunks_in(plan)) return good;
  size_t next = 0;
  for (const FileChange& change : plan.changes) {
    FileChange kept = change;
    kept.hunks.clear();
    bool whole = true;
    for (size_t i = 0; i < hunks_of(change); ++i) {
      const bool fine = report.hunks[next++].state != HunkReport::State::failed;
      whole = whole && fine;
      if (fine && i < change.hunks.size()) kept.hunks.push_back(change.hunks[i]);
    }
    const bool is_update = change.kind == FileChange::Kind::update;
    if (is_update ? !kept.hunks.empty() : whole) good.changes.push_back(std::move(kept));
  }
  return good;
}

bool is_resent(const FileChange& change, const Hunk* hunk, const EditPlan& plan) {
  return std::ranges::any_of(plan.changes, [&](const FileChange& other) {
    if (other.path != change.path) return false;
    if (!hunk || other.kind != FileChange::Kind::update) return true;
    return std::ranges::any_of(other.hunks, [&](const Hunk& o) { return o.lines == hunk->lines; });
  });
}

// `waiting` before `plan`, without what `plan` repeats; the updates of a file become one change.
EditPlan joined(const EditPlan& waiting, const EditPlan& plan) {
  EditPlan both;
  const auto add = [&](FileChange change) {
    const auto same = std::ranges::find_if(both.changes, [&](const FileChange& other) {
      return other.path == change.path && other.kind == FileChange::Kind::update &&
             change.kind == FileChange::Kind::update && !other.rename_to && !change.rename_to;
    });
    if (same == both.changes.end()) return both.changes.push_back(std::move(change));
    same->hunks.insert(same->hunks.end(), change.hunks.begin(), change.hunks.end());
  };
  for (FileChange change : waiting.changes) {
    if (change.kind != FileChange::Kind::update) {
      if (!is_resent(change, nullptr, plan)) add(std::move(change));
      continue;
    }
    std::erase_if(change.hunks, [&](const Hunk& hunk) { return is_resent(change, &hunk, plan); });
    if (!change.hunks.empty()) add(std::move(change));
  }
  for (const FileChange& change : plan.changes) add(change);
  both.plain_fences = plan.plain_fences;
  return both;
}

PlacedReply doubtful(const Failure& doubt, bool is_sketch) {
  return {.state = PlacedReply::State::doubtful,
          .feedback = "Nothing was changed. " + for_model(doubt) +
                      ". If you only meant to show it, say so.",
          .is_sketch = is_sketch};
}

// A fence with fewer lines than the file must have all that it would lose
// (edits/lazy/part_of_file.h), unless the model has read all of the file, and keeps most of it.
void believe_whole_files(EditPlan& plan, const Files& files, const EditContext& context) {
  for (FileChange& change : plan.changes) {
    if (change.kind == FileChange::Kind::lazy || !change.is_shown()) continue;
    const TargetFile target = target_file(files, change.path, false);
    if (!target.text) continue;
    const bool is_read = context.seen && knows_text(context, target.path, *target.text);
    if (Text(change.contents).line_count() >= target.text->line_count() ||
        (is_read && keeps_most(change.contents, *target.text)))
      std::get<FileFence>(change.said_by).lines = {};
  }
}

// In chat, a reply whose fences are all shown has no edits, and is an answer; nullopt if one of
// them is an edit, or the reply has others. A fence that is like its file, but cannot be placed,
// may be meant as one.
std::optional<PlacedReply> only_shown(const EditPlan& plan, const ApplyReport& report,
                                      const Files& files) {
  if (has_marked_edits(plan)) return std::nullopt;
  const Failure* doubt = nullptr;
  PlacedReply shown;
  for (const HunkReport& hunk : report.hunks) {
    if (hunk.state == HunkReport::State::applied) return std::nullopt;
    if (!hunk.failure) continue;
    const auto change = std::ranges::find(plan.changes, hunk.source_line, &FileChange::source_line);
    if (change == plan.changes.end()) continue;
    const std::optional<Text> text = target_file(files, change->path, false).text;
    if (!text || !resembles(*text, change->contents)) continue;
    if (!doubt) doubt = &*hunk.failure;
    shown.is_sketch |= change->kind == FileChange::Kind::lazy;
  }
  if (doubt) shown = doubtful(*doubt, shown.is_sketch);
  return shown;
}

// Why there can be no file at `path`, judging by the paths of other files; else nullopt. An editor
// creates before it deletes, so a file that is removed is in the way, too.
std::optional<std::string> in_the_way(const std::string& path,
                                      const std::set<std::string, std::less<>>& files) {
  for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    const std::string above = path.substr(0, end);
    if (files.contains(above))
      return fmt::format("{} cannot be created: {} is a file, or was one before your edits.", path,
                         above);
  }
  const auto below = files.lower_bound(path + "/");
  if (below == files.end() || !below->starts_with(path + "/")) return std::nullopt;
  return fmt::format(
      "{0} cannot be created: {0} is a folder, or was one before your edits, with {1}.", path,
      *below);
}

// Whether only the text of a file changes.
bool is_in_place(const ChangedFile& file) { return file.before && file.after && !file.rename_to; }

}  // namespace

Result<void> check_targets(const std::vector<ChangedFile>& files, Draft& draft,
                           const GuardedWorkspace& guard, const Task& task) {
  std::map<std::string, std::string> names;  // of edited files, by where they are
  std::set<std::string, std::less<>> paths;
  for (const ChangedFile& file : draft.files()) {
    paths.insert(file.path);
    if (file.rename_to) paths.insert(*file.rename_to);
    const auto target = draft.edit_target(file.path, true, task);
    if (target) names.emplace(target->path, file.path);
  }
  for (const ChangedFile& file : files) {
    paths.insert(file.path);
    paths.insert(file.last_path());
  }
  for (const ChangedFile& file : files) {
    const std::string& now = file.last_path();
    if (file.after && (!file.before || file.rename_to)) {
      if (auto why = in_the_way(now, paths))
        return fail(Error::Code::invalid_input, *std::move(why));
    }
    for (const std::string& path : {file.path, now}) {
      if (guard.is_private(path)) {
        return fail(
            Error::Code::invalid_input,
            path + " is private (.bodkinignore or the built-in list) and cannot be edited.");
      }
      const auto target = draft.edit_target(path, is_in_place(file), task);
      if (!target) return std::unexpected(target.error());
      if (guard.is_private(target->path)) {
        return fail(Error::Code::invalid_input,
                    path + " is a link to a private file, which cannot be edited.");
      }
      if (const std::string& name = names.emplace(target->path, path).first->second; name != path) {
        return fail_with_advice(Error::Code::invalid_input,
                                path + " and " + name + " are the same file.",
                                "Edit it under one name.");
      }
    }
  }
  return {};
}

ApplyOptions options_of(const EditContext& context) {
  ApplyOptions options;
  options.with_bills = true;
  if (context.selection && context.selection->lines.begin < context.selection->lines.end) {
    options.selection_path = context.selection->path;
    options.selection = context.selection->lines;
  }
  return options;
}

PlacedReply refused_for(const Error& error) {
  return {.state = PlacedReply::State::refused,
          .feedback = "Nothing was changed. " + with_advice(error),
          .reason = error.message.substr(0, error.message.find('\n'))};
}

// apply() knows only files it could read. An unreadable file must not be created again.
std::optional<PlacedReply> Placer::refusal_of(const ApplyReport& report,
                                              const WorkspaceFiles& files, const Task& task) const {
  std::optional<Error> why;
  for (const ChangedFile& file : report.files) {
    for (const std::string& path : {file.path, file.last_path()}) {
      if (file.before && path == file.path) continue;
      const auto there = context_.draft.read(path, task);
      if (!there && there.error().code != Error::Code::not_found) why = there.error();
    }
  }
  if (const auto may = check_targets(report.files, context_.draft, context_.guard, task); !may) {
    why = may.error();
  }
  if (!report.ok) {
    const bool quotes = !context_.gate || context_.gate->reads_freely();
    std::string feedback = quotes ? explain(report) : explain_without_lines(report);
    if (files.refusal()) feedback += "\n" + files.refusal()->message;
    return PlacedReply{
        .state = PlacedReply::State::refused,
        .feedback = std::move(feedback),
        .reason = reason_for_user(report) + changed_since_read(report, files, context_),
        .unplaced = unplaced_of(report)};
  }
  if (!why && context_.gate) {
    const auto allowed = context_.gate->admit_edit(report.files, context_.draft, task);
    if (!allowed) {
      PlacedReply denied = refused_for(allowed.error());
      denied.denied = true;
      return denied;
    }
  }
  if (!why) return std::nullopt;
  return refused_for(*why);
}

PlacedReply Placer::place(std::string_view reply, const ParseOptions& options, const Task& task) {
  // Separate: files that cannot be read here refuse no edit.
  const WorkspaceFiles drafted(context_.draft, task);
  const KnownFiles asked(drafted, nullptr, task.stop);
  auto plan = parse_reply(reply, with_files(options, asked));
  if (!plan) {
    return {.state = PlacedReply::State::refused,
            .feedback = "Nothing was changed. " + for_model(plan.error()),
            .reason = plan.error().message + ".",
            .unreadable = !options.truncated};
  }
  Withheld unused;
  RedactedWorkspace seen(context_.draft, unused);
  const WorkspaceFiles shown_files(seen, task);
  const KnownFiles files(shown_files, &asked, task.stop);
  if (options.in_chat && takes_whole_files_) believe_whole_files(*plan, files, context_);
  if (plan->changes.empty()) return plan->doubt ? doubtful(*plan->doubt, false) : PlacedReply();
  EditPlan whole = joined(waiting_, *plan);
  ApplyOptions placing = options_of(context_);
  placing.takes_parts = !options.in_chat;  // the model can be asked
  placing.stop = task.stop;
  ApplyReport report = apply(whole, files, context_.syntax, placing);
  if (options.in_chat && !takes_whole_files_) {
    const bool has_waited = !waiting_.changes.empty();
    const auto shown = only_shown(
        *plan, has_waited ? apply(*plan, files, context_.syntax, placing) : report, files);
    if (shown) return *shown;
  }
  if (!report.ok && hunks_in(*plan) > hunks_in(waiting_) && !waiting_.changes.empty()) {
    // Perhaps everything was sent again in a different form.
    ApplyReport alone = apply(*plan, files, context_.syntax, placing);
    if (alone.ok) {
      whole = std::move(*plan);
      report = std::move(alone);
    }
  }
  NotYetMade others;
  if (!report.ok) others = not_yet_made(whole, report, context_.draft, context_.syntax);
  if (!others.made.empty()) {
    whole = std::move(others.plan);
    report = whole.changes.empty() ? ApplyReport{.ok = true}
                                   : apply(whole, files, context_.syntax, placing);
  }
  if (task.stop.stop_requested())
    return refused_for(Error{Error::Code::cancelled, "placing the edits was cancelled"});
  fit_new_files(report, files);
  if (report.ok) {
    if (const auto back = put_secrets_back(report.files, context_.draft, task); !back) {
      waiting_ = {};
      return refused_for(back.error());
    }
    if (const auto blind = blind_edit_in(whole, report, context_)) {
      waiting_ = {};
      PlacedReply refused = refused_for(blind->why);
      refused.unplaced = {{blind->path, FailureKind::not_found}};
      return refused;
    }
  }
  if (auto refused = refusal_of(report, shown_files, task)) {
    waiting_ = placed_part(whole, report);
    return *refused;
  }
  waiting_ = {};
  context_.draft.take(report.files);
  remember_texts(report.files, context_);
  PlacedReply placed{.state = PlacedReply::State::taken};
  for (const FileChange& change : whole.changes)
    if (std::ranges::count(report.shown, change.source_line, &NotApplied::source_line) > 0)
      placed.shown.push_back(change.shown());
  report.shown.clear();  // the user reads it in the answer
  std::ranges::move(others.made, std::back_inserter(report.hunks));
  placed.feedback = explain(report);
  for (const HunkReport& hunk : report.hunks)
    if (hunk.state != HunkReport::State::applied) placed.in_place.push_back(hunk.path);
  return placed;
}

}  // namespace bodkin
