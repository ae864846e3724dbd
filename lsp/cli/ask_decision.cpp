// Lets the user decide about the proposal of an ask, and writes it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "agent/ask/step.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_run.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/own_process.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/unseen_change.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

std::string editor_command() {
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* const own = os::getenv(name); own && *own) return own;
  return kUsualEditor;
}

// The text as the user leaves it in $VISUAL, $EDITOR or vi, in the foreground of the terminal.
// `name`: of the file that it belongs to, for the editor's colours. Nullopt: there is no editor,
// and the user was told, or it has failed. A last line keeps its line end.
std::optional<std::string> edited_by_user(const std::string& text, const std::string& name) {
  constexpr size_t kMostEdited = 16 << 20;  // bytes
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!folder) return say(folder.error().message), std::nullopt;
  const fs::path file = fs::path(folder->path()) / fs::path(name).filename();
  std::ofstream(file, std::ios::binary) << text;
  const std::string command = editor_command();
  const bool is_done = run_editor(command, os::text_of(file));
  auto edited = read_file(os::text_of(file), kMostEdited);
  if (!is_done || !edited)
    return say(fmt::format("The editor ({}) has failed; the hunk is as it was.", command)),
           std::nullopt;
  if (text.ends_with('\n') && !edited->empty() && !edited->ends_with('\n')) *edited += '\n';
  if (!text.ends_with('\n') && edited->ends_with('\n')) edited->pop_back();  // of an editor
  return *std::move(edited);
}

constexpr const char* kDecisions =
    "a  apply all of it: the files are written\n"
    "h  choose hunks, one after the other\n"
    "r  refine: say what should be different, and the model goes on\n"
    "v  view the diff again, page by page ($PAGER)\n"
    "d  discard it, as Esc and q do: nothing is written\n";

constexpr const char* kKeys =
    "y  apply this hunk\n"
    "n  leave it out\n"
    "a  apply this one and the rest of the file\n"
    "d  leave out this one and the rest of the file\n"
    "e  edit its new lines ($EDITOR); each hunk is one run of changed lines\n"
    "q  go back without choosing\n";

// Asks on standard error: a (apply), h (choose hunks), r (refine) or d (discard). '\0' as in
// ask_for_key(). `diff`: of all of it, to be viewed again.
char prompt_decision(const std::string& diff) {
  for (;;) {
    const char key =
        ask_for_key("[a]pply, choose [h]unks, [r]efine, [v]iew, or [d]iscard? ", "ahrvd?", 'd');
    if (key == 'v') {
      page(coloured_diff(diff, stderr));
    } else if (key == '?') {
      put(stderr, folded(kDecisions, 3));
    } else {
      return key;
    }
  }
}

// Shows the hunks one after the other and asks for each. The files as they become with those that
// were chosen; empty: none was. Nullopt: the user gave up.
std::optional<std::vector<ChangedFile>> choose_hunks(const std::vector<ChangedFile>& draft,
                                                     const Roots& roots) {
  Proposal proposal;
  proposal.files = proposed_files(draft, roots);
  std::vector<ProposedFile>& files = proposal.files;
  std::vector<size_t> chosen;
  size_t count = 0, number = 0;
  for (const ProposedFile& file : files) count += file.hunks.size();
  for (ProposedFile& file : files) {
    char rest = '\0';  // what was said of all that follow in this file
    const bool can_edit = file.kind != ProposedFile::Kind::remove;
    for (ProposedHunk& hunk : file.hunks) {
      ++number;
      char key = rest;
      while (!key || key == 'e') {
        const std::vector<size_t> one = {hunk.index};
        print_diff(diff_of(with_hunks(file, &one)));
        std::fflush(stdout);
        const std::string question = fmt::format("Apply hunk {} of {}? [y/n/a/d{}/q/?] ", number,
                                                 count, can_edit ? "/e" : "");
        const char* const keys = can_edit ? "ynadeq?" : "ynadq?";
        while ((key = ask_for_key(question, keys, 'q')) == '?') put(stderr, folded(kKeys, 3));
        if (key == 'e')
          if (auto edited = edited_by_user(hunk.new_text, file.last_name().path))
            hunk.new_text = *std::move(edited);
        if (key == 'q' || key == '\0') return std::nullopt;
        if (key == 'a' || key == 'd') rest = key;
      }
      if (key == 'y' || key == 'a') chosen.push_back(hunk.index);
    }
  }
  std::vector<std::string> kept;
  std::vector<ChangedFile> result = with_hunks(proposal, chosen, kept);
  for (const std::string& path : kept) {
    put(stderr,
        fmt::format("{} is kept: it would be deleted, but its new location was not chosen.\n",
                    plain_line(path)));
  }
  return result;
}

// A proposal whose files somebody else has changed since.
struct FollowedFiles {
  std::vector<ChangedFile> draft;  // on the texts as they are now; without changes that do not fit
  bool has_moved = false;          // a text is another one
  std::vector<std::string> left_out;  // paths of files some of whose changes do not fit any more
};

// Each change goes with its lines, as in an editor; one whose lines are not certainly where they
// were is left out. Reads the files; blocks.
FollowedFiles followed_files(const std::vector<ChangedFile>& draft, Workspace& workspace,
                             const Task& task) {
  using State = ProposedHunk::State;
  FollowedFiles result;
  Proposal proposal;
  proposal.files = proposed_files(draft, workspace.roots(task));
  for (ProposedFile& file : proposal.files) {
    const auto now = workspace.read(file.name.path, task);
    if (file.kind == ProposedFile::Kind::create) {
      if (!now) continue;
      result.has_moved = true;  // somebody else has created it
      result.left_out.push_back(file.name.path);
      file.hunks[0].state = State::discarded;
      continue;
    }
    if (now && now->text == file.text) continue;
    result.has_moved = true;
    take_unseen_change(file, now ? now->text : Text());
    const auto is_stale = [](const ProposedHunk& hunk) { return hunk.state != State::pending; };
    // A file goes away, or elsewhere, with all that was seen of it.
    const bool goes = file.kind == ProposedFile::Kind::remove || file.moved_to || !now;
    const bool has_stale = std::ranges::any_of(file.hunks, is_stale);
    if (!has_stale && !goes) continue;
    result.left_out.push_back(file.name.path);
    for (ProposedHunk& hunk : file.hunks)
      if (goes || is_stale(hunk)) hunk.state = State::discarded;
  }
  if (!result.has_moved) {
    result.draft = draft;
  } else if (auto made = draft_of(proposal)) {
    result.draft = *std::move(made);
  }
  return result;
}

}  // namespace

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
    print_folded("To apply it after all: " + command("/redo", "bodkin redo " + proposal_));
}

// False: the user says nothing. If a proposal is lost, the model starts again, on the files as they
// are.
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
  print_folded(
      fmt::format("{} (+{} −{}). {}. {}.", changes, added, removed, verdict, effort_in_words()));
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
  Proposal written = kept_proposal(outcome, files, folder_.folder(), true);
  if (const auto done = (*writing)->write(*writes); !done) return refuse(done.error().message);
  if (const std::string& words = (*writing)->in_place_words(); !words.empty()) say(words);
  const auto kept = history_->keep_written(std::move(written));
  if (!kept) say(kept.error().message);
  can_be_undone_ = kept && history_->is_kept();
  if (options_.json) return done;
  for (const ChangedFile& file : files) put(stderr, line_of(file) + "\n");
  if (can_be_undone_)
    put(stderr, "Undo: " + command("/undo", "bodkin undo " + history_->proposal()) + "\n");
  return done;
}

}  // namespace bodkin
