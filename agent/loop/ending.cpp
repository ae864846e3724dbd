#include "agent/loop/ending.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "agent/ask/cautions.h"
#include "agent/context/check_feedback.h"
#include "agent/context/prompt.h"

namespace bodkin {

void Ending::report(std::string note) const {
  if (task_.report) task_.report({Progress::Kind::note, std::move(note)});
}

// A refinement that changed nothing has no files: the proposal stays as it is.
std::vector<ChangedFile> Ending::changed_files() const {
  std::vector<ChangedFile> files = draft_.files();
  const auto same = [](const ChangedFile& a, const ChangedFile& b) {
    return a.path == b.path && a.after == b.after && a.rename_to == b.rename_to;
  };
  if (std::ranges::is_permutation(files, ask_.draft, same)) files.clear();
  return files;
}

std::shared_ptr<EarlyDraft> Ending::report_draft() const {
  auto early = std::make_shared<EarlyDraft>();
  early->outcome.end = Outcome::End::done;
  early->outcome.title = title_of(ask_);
  early->outcome.answer = changes_in_words(changed_files());
  complete(early->outcome);
  early->roots = guard_.roots(task_);
  if (task_.report) task_.report({Progress::Kind::draft, "", nullptr, early});
  return early;
}

// Decides: when the model is sent the errors of its own edits.
std::optional<std::string> Ending::repair(bool is_human) {
  const bool may_repair = repairs_ < max_repairs_;
  verdict_ = {};
  check_.reset();
  const std::vector<std::string> errors =
      check_syntax(draft_, syntax_, gate_.reads_freely()).errors;
  if (!errors.empty() && may_repair) {
    ++repairs_;
    report(is_human ? fmt::format("The draft has new syntax errors: {}", fmt::join(errors, "; "))
                    : "The draft has new syntax errors; telling the model");
    return fmt::format(
        "Your edits were placed, but the files now have syntax errors that were not there "
        "before:\n{}\nFix them with another edit. The files now contain your earlier edits: match "
        "the lines as they are after those edits.",
        fmt::join(errors, "\n"));
  }
  if (changed_files().empty()) return std::nullopt;
  if (auto told = repair_errors(may_repair, is_human)) return told;
  if (!verifier_ || task_.stop.stop_requested()) return std::nullopt;
  verdict_ = verifier_->verify(draft_, guard_, task_);
  const bool has_failed = verdict_.state == Verdict::State::failed;
  if (task_.stop.stop_requested() || !has_failed || !may_repair) return std::nullopt;
  ++repairs_;
  report(verdict_.by + (is_human ? " failed" : " failed; telling the model"));
  if (is_human && task_.report) task_.report({Progress::Kind::text, verdict_.output});
  return fmt::format(
      "Your edits were placed, but `{}` now fails; without them it does not. Its last output:\n{}\n"
      "{}Fix what your edits broke with another edit. The files now contain your earlier edits: "
      "match the lines as they are after those edits.",
      verdict_.by,
      gate_.reads_freely() ? verdict_.output
                           : "(not shown: you may not read files without permission)",
      verdict_.problems.empty() ? "" : "It names:\n" + errors_in_words(verdict_.problems) + "\n");
}

std::optional<std::string> Ending::repair_errors(bool may_repair, bool is_human) {
  if (!checker_) return std::nullopt;
  if (task_.report) task_.report({Progress::Kind::verifying, "Checking the edits"});
  const auto early = report_draft();
  check_ = checker_->check(draft_.files(), guard_, task_);
  const size_t errors = check_->new_errors(), before = std::exchange(new_errors_, errors);
  const bool is_better = before == 0 || errors < before;
  if (task_.stop.stop_requested() || errors == 0 || !is_better || !may_repair || early->is_decided)
    return std::nullopt;
  report_draft();
  ++repairs_;
  const std::string by = fmt::format("{}", fmt::join(check_->by, ", "));
  const auto first = std::ranges::find(check_->added, Severity::error, &CheckedProblem::severity);
  const bool is_named = !is_human && first != check_->added.end();
  report(fmt::format("{} found {} new {}{}{}", by, errors, errors == 1 ? "error" : "errors",
                     is_human ? "" : "; telling the model",
                     is_named ? ": " + in_words(*first) : ""));
  if (is_human && task_.report)
    task_.report({Progress::Kind::text, listed_errors(check_->added, shown_, task_)});
  return fmt::format(
      "Your edits were placed, but {} now reports new problems:\n{}\nFix what your "
      "edits broke with another edit. The files now contain your earlier edits: match the lines as "
      "they are after those edits.",
      by, errors_in_words(check_->added));
}

// Includes their code, if the model may read it.
std::string Ending::errors_in_words(std::span<const CheckedProblem> problems) const {
  return gate_.reads_freely() ? errors_for_model(problems, shown_, task_)
                              : listed_errors(problems, shown_, task_);
}

void Ending::complete(Outcome& outcome) const {
  const bool is_done = outcome.end == Outcome::End::done;
  outcome.files = changed_files();
  outcome.takes_back = is_done && !ask_.draft.empty() && draft_.files().empty();
  outcome.cautions = cautions(outcome.files, guard_, task_);
  outcome.needs_review = needs_review(outcome.files, guard_, task_);
  if (is_done && outcome.answer.find_first_not_of(" \t\r\n") == std::string::npos)
    outcome.answer =
        outcome.takes_back ? "All changes were undone." : changes_in_words(outcome.files);
  if (is_done) {  // else they are of an earlier draft
    outcome.verdict = verdict_;
    outcome.check = check_;
  }
  SyntaxCheck check = check_syntax(draft_, syntax_);
  outcome.syntax_checked = check.of_all_files;
  outcome.syntax_errors = std::move(check.errors);
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
  for (std::string& sentence : notes_of(left_, outcome.files)) {
    if (outcome.files.empty()) {  // then nobody is shown the notes
      add_to_answer(sentence);
    } else {
      add_note(std::move(sentence));
    }
  }
  for (const ChangedFile& file : outcome.files) {
    if (file.before && file.after && unread_.contains(file.path))
      add_note(file.path + ": was replaced as a whole, and the model had not read it");
  }
  const std::string ignored = words_of_ignored(left_, outcome.files);
  if (outcome.end == Outcome::End::done && !ignored.empty()) add_to_answer(ignored);
}

}  // namespace bodkin
