#include "lsp/mcp/placed_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>

#include "agent/ask/cautions.h"
#include "agent/placing/known_files.h"
#include "agent/placing/new_files.h"
#include "agent/placing/placing.h"
#include "agent/placing/refusal_reason.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/apply/explain.h"
#include "edits/plan/paths.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/mcp/acting_files.h"
#include "lsp/mcp/base_id.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin::mcp {

namespace {

constexpr size_t kMaxPatch = 1'000'000;  // bytes

// The plan as it would be without its line numbers.
EditPlan without_line_numbers(EditPlan plan) {
  for (FileChange& change : plan.changes) {
    for (Hunk& hunk : change.hunks) {
      hunk.evidence.line.reset();
      if (auto* blocks = std::get_if<SearchReplace>(&hunk.format))
        for (Hunk& other : blocks->alternatives) other.evidence.line.reset();
    }
  }
  return plan;
}

bool has_line_numbers(const EditPlan& plan) {
  return std::ranges::any_of(plan.changes, [](const FileChange& change) {
    return std::ranges::any_of(change.hunks,
                               [](const Hunk& hunk) { return hunk.evidence.line.has_value(); });
  });
}

// Paths that name no file, and were taken for another one that ends like them.
std::vector<std::string> guessed_paths(const EditPlan& plan, const ApplyReport& report,
                                       const Files& files) {
  std::set<std::string, std::less<>> taken;
  for (const HunkReport& hunk : report.hunks) taken.insert(hunk.path);
  std::vector<std::string> guesses;
  for (const FileChange& change : plan.changes) {
    if (!taken.contains(plain_path(change.path)) && !target_file(files, change.path, false).text)
      guesses.push_back(fmt::format("there is no {}, only a file that ends like it", change.path));
  }
  return guesses;
}

// The hunks whose text alone does not prove that the model knows the file. `unnumbered`: the report
// of the plan without its line numbers.
std::vector<std::string> uncertain_places(const EditPlan& plan, const ApplyReport& report,
                                          const ApplyReport& unnumbered, const Files& files,
                                          ServedFolder& served) {
  std::vector<std::string> places = guessed_paths(plan, report, files);
  for (size_t i = 0; i < report.hunks.size(); ++i) {
    const HunkReport& hunk = report.hunks[i];
    if (hunk.state != HunkReport::State::applied || !hunk.match) continue;
    const auto& match = i < unnumbered.hunks.size() ? unnumbered.hunks[i].match : hunk.match;
    if (!match || match->offset != hunk.match->offset) {
      places.push_back(fmt::format("{} line {} (only its line number tells it from other places)",
                                   hunk.path, hunk.match->lines.begin + 1));
      continue;
    }
    if (hunk.match->quality <= MatchQuality::substring) continue;
    places.push_back(fmt::format("{} line {} ({})", hunk.path, hunk.match->lines.begin + 1,
                                 hunk.match->quality == MatchQuality::trimmed
                                     ? "the indentation is inferred"
                                     : name_of(hunk.match->quality)));
  }
  const EditContext context{*served.draft, *served.guard, served.syntax.get(),
                            nullptr,       std::nullopt,  &served.conversation.seen};
  if (const auto blind = blind_edit_in(plan, report, context))
    places.push_back(blind->path + " (no line of it is quoted)");
  return places;
}

std::string why_not(const ApplyReport& report, const ServedFiles& files, bool may_show) {
  if (!files.refused().empty()) return files.refused() + "\n";
  if (!may_show) return explain_without_lines(report);
  std::string why = explain(report);
  constexpr std::string_view kFirst = "Nothing was changed.\n";  // the tools say so themselves
  if (why.starts_with(kFirst)) why.erase(0, kFirst.size());
  return why;
}

bool is_private_list(std::string_view path) { return glob_matches(".bodkinignore", path); }

// Returns why these files may not be changed; empty: they may.
std::string why_forbidden(const ApplyReport& report, ServedFolder& served, const Task& task) {
  for (const ChangedFile& file : report.files) {
    for (const std::string& path : {file.path, file.last_path()}) {
      const auto target = served.draft->edit_target(path, true, task);
      if (is_private_list(path) || (target && is_private_list(target->path)))
        return path + " decides which files models may read; only the user changes it.";
    }
    if (file.before && !file.edits.empty() && file.before->str().find('\0') != std::string::npos)
      return file.path + " is not UTF-8 text: it contains zero bytes.";
  }
  if (const auto may = check_targets(report.files, *served.draft, *served.guard, task); !may)
    return with_advice(may.error());
  const auto may = served.gate.admit_edit(report.files, *served.draft, task);
  return may ? "" : with_advice(may.error());
}

// What the patch says, with the paths that files have in the folder.
FailureOr<EditPlan> plan_in(const PatchText& patch, const ServedFolder& served,
                            const Files& files) {
  auto plan = plan_of_reply(
      patch.text, {.format = patch.format, .default_path = served.inside(patch.path)}, files);
  if (!plan) return plan;
  for (FileChange& change : plan->changes) {
    change.path = served.inside(std::move(change.path));
    if (change.rename_to) change.rename_to = served.inside(*std::move(change.rename_to));
    // In an empty file nothing can be quoted, and nothing is lost.
    if (patch.format == Format::str_replace && change.kind == FileChange::Kind::create)
      if (const auto there = files.read(change.path); there && there->size() == 0)
        change.kind = FileChange::Kind::overwrite;
  }
  return plan;
}

// The texts are only there while it runs.
void with_old_texts(const PlacedPatch& placed,
                    const std::function<void(const std::vector<BaseText>&)>& run) {
  std::deque<std::string> bytes;
  std::vector<BaseText> texts;
  for (const ChangedFile& file : placed.report.files) {
    if (!file.before) continue;
    bytes.push_back(file.before->str());
    texts.push_back({file.path, bytes.back()});
  }
  run(texts);
}

}  // namespace

PlacedPatch place_patch(ServedFolder& served, const PatchText& patch, const Task& task) {
  PlacedPatch placed;
  const auto refuse = [&](std::string why) {
    placed.refused = std::move(why);
    return std::move(placed);
  };
  if (patch.text.size() > kMaxPatch) return refuse("The patch is larger than 1 MB.\n");
  // A secret that the model was shown a placeholder for: the edit is one of the text with
  // placeholders, and the secrets are put back.
  const bool has_placeholder = has_piece_of_marker(patch.text);
  const ServedFiles exact(served);
  const WorkspaceFiles redacted(*served.shown, task);
  const KnownFiles files(has_placeholder ? static_cast<const Files&>(redacted) : exact, nullptr,
                         task.stop);
  const auto plan = plan_in(patch, served, files);
  if (!plan) return refuse(with_advice(plan.error()) + "\n");
  ApplyReport& report = placed.report;
  report = apply(*plan, files, served.syntax.get(), {.stop = task.stop});
  fit_new_files(report, files);
  const ApplyReport unnumbered =
      report.ok && has_line_numbers(*plan)
          ? apply(without_line_numbers(*plan), files, served.syntax.get(), {.stop = task.stop})
          : report;
  if (!report.ok) return refuse(why_not(report, exact, served.may_show));
  if (has_placeholder)
    if (const auto back = put_secrets_back(report.files, *served.draft, task); !back)
      return refuse(with_advice(back.error()) + "\n");
  std::erase_if(report.files, [](const ChangedFile& file) {
    return file.before && file.after && !file.rename_to && file.before->str() == file.after->str();
  });
  if (const std::string why = why_forbidden(report, served, task); !why.empty())
    return refuse(why + "\n");
  auto writes = writes_of(report.files, served.folder);
  if (!writes) return refuse(writes.error().message + ".\n");
  if (const auto can = check_writes(served.folder, *writes); !can)
    return refuse(can.error().message + ".\n");
  placed.writes = *std::move(writes);
  placed.ignored = explain(report) + modes_left_alone(patch.text);
  placed.uncertain = uncertain_places(*plan, report, unnumbered, files, served);
  placed.diff = diff_of(report.files);
  if (served.may_show && !report.files.empty())
    with_old_texts(placed, [&](const auto& texts) { placed.base = base_of(texts, placed.diff); });
  placed.cautions = cautions(report.files, *served.draft, task);
  placed.acting = acting_files(report.files, served, task);
  const SyntaxCheck check = check_syntax(report.files, *served.syntax);
  for (const SyntaxCheck::Found& error : check.errors)
    placed.syntax_errors.push_back(fmt::format("{} line {}{}", error.path, error.line + 1,
                                               served.may_show ? ": " + error.text : ""));
  placed.is_syntax_checked = check.of_all_files;
  return placed;
}

std::string why_other_base(std::string_view base, const PlacedPatch& placed) {
  std::string why;
  with_old_texts(placed, [&](const auto& texts) {
    why = why_other_base(base, texts, placed.diff, !placed.uncertain.empty());
  });
  return why;
}

std::string diff_text(const PlacedPatch& placed, const ServedFolder& served) {
  return served.may_show ? placed.diff : "";
}

}  // namespace bodkin::mcp
