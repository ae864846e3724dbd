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

// As apply() counts: a change as a whole is one hunk.
size_t hunks_of(const FileChange& change) {
  return change.kind == FileChange::Kind::update ? change.hunks.size() : 1;
}

size_t hunks_in(const EditPlan& plan) {
  size_t count = 0;
  for (const FileChange& change : plan.changes) count += hunks_of(change);
  return count;
}

// The hunks that were placed, as a plan of their own.
EditPlan good_part(const EditPlan& plan, const ApplyReport& report) {
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

bool sent_again(const FileChange& change, const Hunk* hunk, const EditPlan& plan) {
  return std::ranges::any_of(plan.changes, [&](const FileChange& other) {
    if (other.path != change.path) return false;
    if (!hunk || other.kind != FileChange::Kind::update) return true;
    return std::ranges::any_of(other.hunks, [&](const Hunk& o) { return o.lines == hunk->lines; });
  });
}

// `waiting` before `plan`, without what `plan` sends again; the updates of a file are one change.
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
      if (!sent_again(change, nullptr, plan)) add(std::move(change));
      continue;
    }
    std::erase_if(change.hunks, [&](const Hunk& hunk) { return sent_again(change, &hunk, plan); });
    if (!change.hunks.empty()) add(std::move(change));
  }
  for (const FileChange& change : plan.changes) add(change);
  return both;
}

}  // namespace

Placer::Placer(Draft& draft, const GuardedWorkspace& guard, const Syntax* syntax, Gate* gate,
               std::optional<Selection> selection)
    : draft_(draft), guard_(guard), syntax_(syntax), gate_(gate) {
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
  if (reason.empty() && gate_) {
    if (const auto allowed = gate_->admit_edit(report, task); !allowed) {
      reason = allowed.error().message;
    }
  }
  if (reason.empty()) return std::nullopt;
  return Placed{Placed::State::refused, "Nothing was changed. " + reason, reason};
}

Placed Placer::place(std::string_view reply, const ParseOptions& options, const Task& task) {
  auto plan = parse_reply(reply, options);
  if (!plan) {
    return {Placed::State::refused, "Nothing was changed. " + plan.error().message,
            plan.error().message};
  }
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

SyntaxCheck check_syntax(const Draft& draft, const Syntax& syntax) {
  SyntaxCheck check;
  size_t looked_at = 0, texts = 0;
  for (const DraftFile& file : draft.files()) {
    if (!file.text) continue;
    ++texts;
    const std::string& path = file.moved_to ? *file.moved_to : file.path;
    const Text before = file.base ? file.base->text : Text();
    const auto lines = syntax.new_errors(path, before, *file.text);
    if (!lines) continue;
    ++looked_at;
    for (const size_t line : *lines) {
      if (check.errors.size() == kMaxSyntaxErrors) break;
      check.errors.push_back(
          fmt::format("{}, line {}: syntax error: {}", path, line + 1, file.text->line(line)));
    }
  }
  check.of_all_files = texts > 0 && looked_at == texts;
  return check;
}

}  // namespace bodkin
