#include "agent/loop/ending.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "agent/ask/cautions.h"
#include "agent/checkers/draft_checker.h"
#include "agent/context/check_feedback.h"
#include "agent/context/prompt.h"
#include "agent/loop/ask_state.h"
#include "edits/text/line_keys.h"

namespace bodkin {

// A refinement that changed nothing has no files: the proposal stays as it is.
std::vector<ChangedFile> Ending::changed_files() const {
  std::vector<ChangedFile> files = state_.draft.files();
  const auto same = [](const ChangedFile& a, const ChangedFile& b) {
    return a.path == b.path && a.after == b.after && a.rename_to == b.rename_to;
  };
  if (std::ranges::is_permutation(files, state_.ask.draft, same)) files.clear();
  return files;
}

std::shared_ptr<EarlyDraft> Ending::report_draft() const {
  auto early = std::make_shared<EarlyDraft>();
  early->outcome.end = Outcome::End::done;
  early->outcome.title = title_of(state_.ask);
  early->outcome.answer = changes_in_words(changed_files());
  complete(early->outcome);
  early->roots = state_.guard.roots(state_.task);
  if (state_.task.report) state_.task.report({Progress::Kind::draft, "", nullptr, early});
  return early;
}

// Decides: when the model is sent the errors of its own edits.
std::optional<std::string> Ending::repair(bool is_human) {
  const bool may_repair = repairs_ < state_.limits.max_repairs;
  verdict_ = {};
  check_.reset();
  const std::vector<std::string> errors =
      in_words(check_syntax(state_.draft.files(), *state_.syntax), state_.gate.reads_freely());
  if (!errors.empty() && may_repair) {
    ++repairs_;
    state_.report(Progress::Kind::note,
                  is_human
                      ? fmt::format("The draft has new syntax errors: {}", fmt::join(errors, "; "))
                      : "The draft has new syntax errors; telling the model");
    return fmt::format(
        "Your edits were placed, but the files now have syntax errors that were not there "
        "before:\n{}\nFix them with another edit. The files now contain your earlier edits: match "
        "the lines as they are after those edits.",
        fmt::join(errors, "\n"));
  }
  if (changed_files().empty()) return std::nullopt;
  if (auto told = repair_errors(may_repair, is_human)) return told;
  if (!state_.context.verifier || state_.is_stopped()) return std::nullopt;
  verdict_ = state_.context.verifier->verify(state_.draft, state_.guard, state_.task);
  const bool has_failed = verdict_.state == Verdict::State::failed;
  if (state_.is_stopped() || !has_failed || !may_repair) return std::nullopt;
  ++repairs_;
  state_.report(Progress::Kind::note,
                verdict_.by + (is_human ? " failed" : " failed; telling the model"));
  if (is_human) state_.report(Progress::Kind::text, verdict_.output);
  return fmt::format(
      "Your edits were placed, but `{}` now fails; without them it does not. Its last output:\n{}\n"
      "{}Fix what your edits broke with another edit. The files now contain your earlier edits: "
      "match the lines as they are after those edits.",
      verdict_.by,
      state_.gate.reads_freely() ? verdict_.output
                                 : "(not shown: you may not read files without permission)",
      verdict_.problems.empty() ? "" : "It names:\n" + errors_in_words(verdict_.problems) + "\n");
}

std::optional<std::string> Ending::repair_errors(bool may_repair, bool is_human) {
  if (!state_.limits.checker) return std::nullopt;
  state_.report(Progress::Kind::verifying, "Checking the edits");
  const auto early = report_draft();
  check_ = state_.limits.checker->check(state_.draft.files(), state_.guard, state_.task);
  const size_t errors = check_->new_errors(), before = std::exchange(new_errors_, errors);
  const bool is_better = before == 0 || errors < before;
  if (state_.is_stopped() || errors == 0 || !is_better || !may_repair || early->is_decided)
    return std::nullopt;
  report_draft();
  ++repairs_;
  const std::string by = fmt::format("{}", fmt::join(check_->by, ", "));
  const auto first = std::ranges::find(check_->added, Severity::error, &CheckedProblem::severity);
  const bool is_named = !is_human && first != check_->added.end();
  state_.report(
      Progress::Kind::note,
      fmt::format("{} found {} new {}{}{}", by, errors, errors == 1 ? "error" : "errors",
                  is_human ? "" : "; telling the model", is_named ? ": " + in_words(*first) : ""));
  if (is_human)
    state_.report(Progress::Kind::text, listed_errors(check_->added, state_.shown, state_.task));
  return fmt::format(
      "Your edits were placed, but {} now reports new problems:\n{}\nFix what your "
      "edits broke with another edit. The files now contain your earlier edits: match the lines as "
      "they are after those edits.",
      by, errors_in_words(check_->added));
}

// Includes their code, if the model may read it.
std::string Ending::errors_in_words(std::span<const CheckedProblem> problems) const {
  return state_.gate.reads_freely() ? errors_for_model(problems, state_.shown, state_.task)
                                    : listed_errors(problems, state_.shown, state_.task);
}

void Ending::complete(Outcome& outcome) const {
  const bool is_done = outcome.end == Outcome::End::done;
  outcome.files = changed_files();
  outcome.takes_back = is_done && !state_.ask.draft.empty() && state_.draft.files().empty();
  outcome.cautions = cautions(outcome.files, state_.guard, state_.task);
  outcome.needs_review = needs_review(outcome.files, state_.guard, state_.task);
  if (is_done && is_blank_text(outcome.answer))
    outcome.answer =
        outcome.takes_back ? "All changes were undone." : changes_in_words(outcome.files);
  if (is_done) {  // else they are of an earlier draft
    outcome.verdict = verdict_;
    outcome.check = check_;
    if (check_ && check_->is_silenced) outcome.needs_review.push_back(check_->reason);
  }
  const SyntaxCheck check = check_syntax(state_.draft.files(), *state_.syntax);
  outcome.syntax_checked = check.of_all_files;
  outcome.syntax_errors = in_words(check);
  add_notes(outcome);
}

void Ending::add_notes(Outcome& outcome) const {
  const auto add_to_answer = [&](const std::string& sentence) {
    outcome.answer += (outcome.answer.empty() ? "" : "\n") + sentence;
  };
  const auto add_note = [&](std::string sentence) {
    outcome.needs_review.push_back(sentence);
    outcome.notes.push_back(std::move(sentence));
  };
  for (std::string& sentence : notes_of(state_.left, outcome.files)) {
    if (outcome.files.empty()) {  // then nobody is shown the notes
      add_to_answer(sentence);
    } else {
      add_note(std::move(sentence));
    }
  }
  for (const ChangedFile& file : outcome.files) {
    if (file.before && file.after && state_.unread.contains(file.path))
      add_note(file.path + ": was replaced as a whole, and the model had not read it");
  }
  const std::string ignored = words_of_ignored(state_.left, outcome.files);
  if (outcome.end == Outcome::End::done && !ignored.empty()) add_to_answer(ignored);
}

}  // namespace bodkin
