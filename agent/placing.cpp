#include "agent/placing.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "agent/edit_json.h"
#include "edits/explain.h"

namespace bodkin {

namespace {

constexpr size_t kMaxSyntaxErrors = 20;

size_t hunks_in(const EditPlan& plan) {
  size_t count = 0;
  for (const FileChange& change : plan.changes) count += change.hunks.size();
  return count;
}

// The hunks that were placed, as a plan of their own. Changes without hunks (create, remove) are
// all sent again: nothing tells whether they were fine.
EditPlan good_part(const EditPlan& plan, const ApplyReport& report) {
  EditPlan good;
  if (report.hunks.size() != hunks_in(plan)) return good;
  size_t next = 0;
  for (const FileChange& change : plan.changes) {
    FileChange kept = change;
    kept.hunks.clear();
    for (const Hunk& hunk : change.hunks) {
      if (report.hunks[next++].state != HunkReport::State::failed) kept.hunks.push_back(hunk);
    }
    if (!kept.hunks.empty()) good.changes.push_back(std::move(kept));
  }
  return good;
}

// `waiting` before `plan`, without what `plan` sends again.
EditPlan joined(const EditPlan& waiting, const EditPlan& plan) {
  EditPlan both;
  for (FileChange change : waiting.changes) {
    std::erase_if(change.hunks, [&](const Hunk& hunk) {
      return std::ranges::any_of(plan.changes, [&](const FileChange& other) {
        return other.path == change.path && (other.kind != FileChange::Kind::update ||
                                             std::ranges::any_of(other.hunks, [&](const Hunk& o) {
                                               return o.lines == hunk.lines;
                                             }));
      });
    });
    if (!change.hunks.empty()) both.changes.push_back(std::move(change));
  }
  both.changes.insert(both.changes.end(), plan.changes.begin(), plan.changes.end());
  return both;
}

}  // namespace

Placer::Placer(Draft& draft, const GuardedWorkspace& guard, const Syntax* syntax,
               std::optional<Selection> selection)
    : draft_(draft), guard_(guard), syntax_(syntax) {
  if (selection) {
    options_.selection_path = selection->path;
    options_.selection = selection->lines;
  }
}

// apply() knows only what it could read. What it could not read is not free to be created.
std::optional<Placed> Placer::refusal_of(const ApplyReport& report, const WorkspaceFiles& files,
                                         const Task& task) const {
  std::string reason;
  for (const ChangedFile& file : report.files) {
    for (const std::string& path : {file.path, file.rename_to.value_or(file.path)}) {
      if (guard_.is_private(path)) {
        reason = path + " is private (.bodkinignore or the built-in list): it is not edited.";
      } else if (!file.before || path != file.path) {
        const auto there = draft_.read(path, task);
        if (!there && there.error().code != Error::Code::not_found) reason = there.error().message;
      }
    }
  }
  if (!report.ok) {
    reason = report.failure ? report.failure->message : "An edit does not fit.";
    std::string feedback = explain(report);
    if (feedback.empty()) feedback = reason;
    if (files.refusal()) feedback += "\n" + files.refusal()->message;
    return Placed{Placed::State::refused, std::move(feedback), std::move(reason)};
  }
  if (reason.empty()) return std::nullopt;
  return Placed{Placed::State::refused, reason, reason};
}

Placed Placer::place(std::string_view reply, const ParseOptions& options, const Task& task) {
  auto plan = parse_reply(reply, options);
  if (!plan) return {Placed::State::refused, plan.error().message, plan.error().message};
  if (plan->changes.empty()) return {};
  const WorkspaceFiles files(draft_, task);
  EditPlan whole = joined(waiting_, *plan);
  ApplyReport report = apply(whole, files, syntax_, options_);
  if (!report.ok && hunks_in(*plan) > hunks_in(waiting_) && !waiting_.changes.empty()) {
    // Perhaps everything was sent again, in other words.
    ApplyReport alone = apply(*plan, files, syntax_, options_);
    if (alone.ok) {
      whole = std::move(*plan);
      report = std::move(alone);
    }
  }
  if (auto refused = refusal_of(report, files, task)) {
    waiting_ = good_part(whole, report);
    return *refused;
  }
  waiting_ = {};
  draft_.take(report);
  return {Placed::State::taken, explain(report), ""};
}

std::vector<std::string> new_syntax_errors(const Draft& draft, const Syntax& syntax) {
  std::vector<std::string> result;
  for (const DraftFile& file : draft.files()) {
    if (!file.text) continue;
    const std::string& path = file.moved_to ? *file.moved_to : file.path;
    const Text before = file.base ? file.base->text : Text();
    for (const size_t line : syntax.new_errors(path, before, *file.text)) {
      if (result.size() == kMaxSyntaxErrors) return result;
      result.push_back(
          fmt::format("{}, line {}: syntax error: {}", path, line + 1, file.text->line(line)));
    }
  }
  return result;
}

}  // namespace bodkin
