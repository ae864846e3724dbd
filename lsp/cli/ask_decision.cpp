// What the user decides about the proposal of an ask, and how it is written.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "agent/ask/step.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/apply/kept_changes.h"
#include "lsp/cli/ask_review.h"
#include "lsp/cli/ask_run.h"
#include "lsp/cli/print_diff.h"
#include "lsp/folder/followed_files.h"

namespace bodkin {

int AskRun::decide(Outcome outcome) {
  for (;;) {
    const char key = prompt_decision(diff_of(outcome.files));
    if (stop_.stop_requested() || key == '\0') return drop("Cancelled", cancelled);
    if (key == 'd') return drop("Discarded; nothing was changed", done);
    const Since since = follow_files(outcome);
    if (key == 'r' && begin_refinement(outcome, since == Since::lost)) return kRefined;
    if (stop_.stop_requested()) return drop("Cancelled", cancelled);
    if (since != Since::same) continue;
    int code = -1;
    if (key == 'a') {
      code = write_whole(outcome);
      if (stop_.stop_requested() && code < 0) return drop("Cancelled", cancelled);
    }
    if (key == 'h') {
      const auto chosen = choose_hunks(outcome.files, folder_.roots());
      if (stop_.stop_requested()) return drop("Cancelled", cancelled);
      if (chosen && chosen->empty()) say("No hunk was chosen.");
      if (!chosen || chosen->empty()) continue;
      // They may have changed while the hunks were chosen; these are others now.
      if (follow_files(outcome) != Since::same) continue;
      const bool is_all = diff_of(*chosen) == diff_of(outcome.files);
      code = is_all ? write_whole(outcome) : write_part(outcome, *chosen);
      if (stop_.stop_requested() && code < 0) return drop("Cancelled", cancelled);
    }
    if (code == done) return done;  // else the user still has the proposal
  }
}

// Changes that the user does not apply now stay available for later.
int AskRun::drop(const char* word, int code) {
  say(word);
  print_redo();
  return code;
}

void AskRun::print_redo() {
  if (!proposal_.empty() && history_->is_kept())
    put(stderr,
        folded("To apply it after all: " + command("/redo", "bodkin redo " + proposal_)) + "\n");
}

// False: the user says nothing. Of a proposal that is lost the model starts again, on the files as
// they are.
bool AskRun::begin_refinement(const Outcome& outcome, bool is_lost) {
  const auto words = ask_for_line("What should be different? ");
  if (!words || words->empty()) return false;
  AskRequest refined{.prompt = *words, .effort = ask_.effort};
  if (!is_lost) refined.refined = AskRequest::Proposal{outcome.title, outcome.files};
  take_slash_command(refined, lsp::own_prompts_folder());
  auto ask = make_ask(std::move(refined), lsp::own_profiles_folder());
  if (!ask) return say(ask.error().message), false;
  ask_ = *std::move(ask);
  if (is_lost) {
    std::vector<std::string> paths;
    for (const ChangedFile& file : outcome.files) paths.push_back(file.path);
    ask_.title = outcome.title;
    ask_.news = fmt::format(
        "Nothing of your last proposal was applied: its place in {} has changed since. Read the "
        "files again, and propose all of it again, with what is said below.",
        in_words(paths));
  }
  return true;
}

void AskRun::print_proposal(const Outcome& outcome) const {
  print_diff(diff_of(outcome.files), stdout, options_.diff);
  std::fflush(stdout);
  const std::string verdict = in_words(verification_of(outcome));
  for (const std::string& note : notes_of(outcome))
    if (verdict.find(note) == verdict.npos) say_sentence(note);
  size_t added = 0, removed = 0;
  for (const Step::File& file : step_files(outcome.files)) {
    added += file.added;
    removed += file.removed;
  }
  std::string changes = changes_in_words(outcome.files, "Would change");
  changes.pop_back();  // the full stop
  put(stderr, folded(fmt::format("{} (+{} −{}). {}. {}.", changes, added, removed, verdict,
                                 effort_in_words())) +
                  "\n");
}

// Follows the files since they were shown. If somebody has changed them, the proposal has moved
// with its lines, and is checked and shown again; if nothing of it fits any more, it is left as it
// was.
AskRun::Since AskRun::follow_files(Outcome& outcome) {
  FollowedFiles now = followed_files(outcome.files, *workspace_, task());
  if (!now.has_moved) return Since::same;
  if (now.draft.empty()) {
    say(in_words(now.left_out) +
        " changed meanwhile, and none of the proposal fits any more; nothing was written. "
        "Refine it, and the model goes on from the files as they are now.");
    return Since::lost;
  }
  outcome.files = std::move(now.draft);
  say(now.left_out.empty() ? "The files changed meanwhile; the proposal has moved with its lines."
                           : "The files changed meanwhile; what does not fit " +
                                 in_words(now.left_out) + " any more was left out.");
  outcome.check = folder_.check(outcome.files, *workspace_, task());
  outcome.syntax_errors.clear();
  outcome.syntax_checked = false;
  if (outcome.verdict.state != Verdict::State::not_checked)
    outcome.verdict = {.by = outcome.verdict.by, .reason = "it ran before the files changed"};
  proposed_ = outcome;
  print_proposal(outcome);
  return Since::moved;
}

// Changes that a check objects to are written if the user says so and the files are still those
// that were shown.
bool AskRun::is_wanted_anyway(Outcome& outcome, const std::string& why) {
  return ask_for_key(why + ". Apply it anyway? [y/n] ", "yn", 'n') == 'y' &&
         follow_files(outcome) == Since::same;
}

// -1: the user does not want it that way.
int AskRun::write_whole(Outcome& outcome) {
  const Verification verification = verification_of(outcome);
  const bool is_objected = state_now(verification) == Verification::State::problems;
  if (is_objected && !is_wanted_anyway(outcome, in_words(verification))) return -1;
  return write(outcome, outcome.files);
}

// A verdict on the whole says nothing about a part. -1: the user does not want it that way.
int AskRun::write_part(Outcome& outcome, const std::vector<ChangedFile>& files) {
  Outcome part;
  part.end = Outcome::End::done;
  part.files = files;
  part.check = folder_.check(part.files, *workspace_, task());
  const std::string verdict = in_words(verification_of(*part.check));
  say("This part alone: " + verdict);
  if (part.check->state == CheckResult::State::problems) {
    for (const std::string& note : notes_of(part)) say_sentence(note);
    if (!is_wanted_anyway(outcome, verdict)) return -1;
  }
  return write(outcome, files);
}

int AskRun::write(const Outcome& outcome, const std::vector<ChangedFile>& files) {
  const auto refuse = [&](const std::string& why) {
    not_written_ = "Not written: " + why;
    const bool begins_with_path = std::ranges::any_of(
        files, [&](const ChangedFile& file) { return why.starts_with(file.path + " "); });
    begins_with_path ? say_sentence(why + "; nothing was changed.")
                     : say(why + "; nothing was changed");
    return failed;
  };
  const auto writes = writes_of(files, folder_.folder());
  if (!writes) return refuse(writes.error().message);
  if (const auto can = check_writes(folder_.folder(), *writes); !can)
    return refuse(can.error().message);
  auto writing = Writing::begin_command(folder_.folder(), "ask");
  if (!writing) return refuse(writing.error().message);
  const auto made_folders = folders_to_make(folder_.folder(), files);
  const Encodings removed_in = encodings_of_removed(files, folder_.folder());
  if (const auto done = (*writing)->write(*writes); !done) return refuse(done.error().message);
  if (const std::string& words = (*writing)->in_place_words(); !words.empty()) say(words);
  const auto kept =
      history_->keep_written(outcome, files, made_folders, removed_in, folder_.roots());
  if (!kept) say(kept.error().message);
  can_be_undone_ = kept && history_->is_kept();
  if (options_.json) return done;
  for (const ChangedFile& file : files) {
    put(stderr, fmt::format("{} {}{}\n", state_of(file), file.path,
                            file.rename_to ? " -> " + *file.rename_to : ""));
  }
  if (can_be_undone_)
    put(stderr, "Undo: " + command("/undo", "bodkin undo " + history_->proposal()) + "\n");
  return done;
}

}  // namespace bodkin
