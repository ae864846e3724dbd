// bodkin ask: one ask without an editor. The model works on a draft; the files change when the user
// says so, through the same writer as `bodkin apply`.
//
// More than 350 lines: one run, from the request to what is written, whose steps share the draft
// and the screen.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "agent/ask/step.h"
#include "agent/loop/run.h"
#include "agent/loop/title.h"
#include "agent/models/no_model.h"
#include "agent/models/providers/providers.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_events.h"
#include "lsp/cli/ask_recording.h"
#include "lsp/cli/ask_review.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/conversation.h"
#include "lsp/cli/model_choice.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/folder/ask_folder.h"
#include "lsp/folder/ask_history.h"
#include "lsp/folder/followed_files.h"
#include "lsp/server/ending_signals.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {
namespace {

using nlohmann::json;

enum Code { done = 0, failed = 1, usage = 2, limit = 3, cancelled = 130 };

// Why --yes does not write it; empty: it does.
std::string why_not_taken(const Outcome& outcome) {
  if (outcome.end != Outcome::End::done) return "the ask did not finish";
  const std::vector<std::string> objections = objections_of(outcome);
  return objections.empty() ? "" : objections[0];
}

int code_of(const Outcome& outcome) {
  static constexpr int kCodes[] = {done, limit, failed, cancelled, failed};  // by Outcome::End
  return kCodes[static_cast<size_t>(outcome.end)];
}

class AskRun {
 public:
  // `ahead`: see AskScreen.
  AskRun(const AskCommand& options, ConfinedFolder folder, TypedAhead* ahead)
      : options_(options),
        screen_(ahead),
        folder_(std::move(folder), [this](const std::string& words) { say_aside(words); }),
        editor_(screen_, can_ask_user()),
        ending_([this](int) {
          stop_.request_stop();
          end_questions();
        }) {}
  ~AskRun() {
    constexpr std::chrono::seconds kTitlePatience{2};
    if (has_title_.valid() && !stop_.stop_requested()) has_title_.wait_for(kTitlePatience);
  }

  int run(AskRequest request);
  bool has_begun() const { return record_ != nullptr; }
  AskIds ids() {
    if (!record_ || !history_->is_kept()) return {};
    return {.session = history_->session(),
            .dropped = can_be_undone_ ? "" : proposal_,
            .applied = can_be_undone_ ? history_->proposal() : "",
            .knows_off = is_off_said_};
  }

 private:
  bool prepare(AskRequest& request);
  bool choose_its_model();
  void make_title_in_background();
  int decide(Outcome outcome);
  bool begin_refinement(const Outcome& outcome, bool is_lost);
  enum class Since { same, moved, lost };
  Since follow_files(Outcome& outcome);
  int drop(const char* word, int code);
  void print_redo();
  void print_way_on(const Outcome& outcome);
  void print_proposal(const Outcome& outcome) const;
  int write(const Outcome& outcome, const std::vector<ChangedFile>& files);
  int write_whole(Outcome& outcome);
  bool is_wanted_anyway(Outcome& outcome, const std::string& why);
  int write_part(Outcome& outcome, const std::vector<ChangedFile>& files);
  void print_end(const Outcome& outcome, const std::vector<ChangedFile>& files, bool written) {
    const bool is_kept = history_->is_kept();
    const bool has_proposal = is_kept && !files.empty() && (!written || can_be_undone_);
    Outcome told = outcome;
    if (told.reason.empty()) told.reason = not_written_;
    print_event(end_event(told, files, is_kept ? history_->session() : "", spent(), written,
                          has_proposal ? history_->proposal() : ""));
  }
  void print_words(const Outcome& outcome) const;
  void print_way_to_another_model() const;
  void say_aside(const std::string& words) {
    screen_.pause();
    say(plain_line(words));
  }
  Task task();
  Spent spent() const { return spent_since(before_, conversation_.spent); }
  // Of what this has cost and taken. That the price is unknown is said once in a conversation.
  Spent shown_spent() const {
    Spent shown = spent();
    if (options_.goes_on && !shown.cost_usd) shown.cost_usd = 0;
    return shown;
  }
  std::string effort_in_words() const { return in_words(shown_spent(), screen_.time()); }
  // A command that can be typed now.
  std::string command(std::string_view in_conversation, std::string_view in_shell) const {
    return std::string(options_.in_conversation ? in_conversation : in_shell);
  }

  const AskCommand& options_;
  AskScreen screen_;
  AskFolder folder_;
  TerminalEditor editor_;
  std::stop_source stop_;

  std::unique_ptr<lsp::EditorWorkspace> workspace_;
  std::unique_ptr<Model> model_, second_model_;
  DraftModel draft_model_;
  std::unique_ptr<Verifier> verifier_;
  Limits limits_;
  Conversation conversation_;
  Spent before_;  // by the session's earlier asks
  std::optional<AskHistory> history_;
  std::unique_ptr<AskRecord> record_;
  Ask ask_;
  bool can_be_undone_ = false;             // what was written
  bool is_off_said_ = options_.knows_off;  // that no command runs here
  std::string not_written_;                // why nothing was, for the user
  std::optional<Outcome> proposed_;        // what the user was last asked about, or is to see
  std::string proposal_;                   // its id in the history
  json recorded_;                          // the request, for --record
  std::unique_ptr<AskRecorder> recorder_;
  std::future<void> has_title_;
  std::jthread title_thread_;  // stopped and joined before what it uses is gone
  EndingSignals ending_;       // last: it uses the others
};

Task AskRun::task() {
  return {stop_.get_token(), [this](const Progress& progress) {
            if (record_) record_->report(progress);
            const bool is_off = progress.kind == Progress::Kind::step &&
                                progress.text.contains("Commands cannot run here");
            if (is_off && std::exchange(is_off_said_, true) && !options_.json) return;
            if (options_.json) {
              print_event(event_of(progress));
            } else {
              screen_.show(progress, shown_spent());
            }
          }};
}

// False: it cannot start; the reason is said.
bool AskRun::prepare(AskRequest& request) {
  const lsp::Settings& settings = folder_.settings();
  for (const std::string& problem : problems_of(settings)) say("Settings: " + problem);
  if (settings.is_unreadable()) return false;  // nothing would be permitted
  if (const auto mode = mode_named(options_.mode)) folder_.set_mode(*mode);
  request.profile = options_.profile.empty() && options_.plan ? "plan" : options_.profile;
  request.dialect.clear();
  request.edit_format = options_.format;
  request.effort = options_.effort;
  folder_.complete(request);
  take_slash_command_without_reports(request, lsp::own_prompts_folder());
  recorded_ = json_of(request);
  if (!options_.record.empty()) {  // before anything is paid for
    if (const auto file = open_recording(options_.record); !file)
      return say(file.error().message), false;
  }
  auto ask = make_ask(std::move(request), lsp::own_profiles_folder());
  if (!ask) return say(ask.error().message), false;
  ask_ = *std::move(ask);

  history_.emplace(lsp::history_limits(settings),
                   [this](const std::string& words) { say_aside(words); });
  if (!options_.session.empty()) {
    const auto resumed =
        history_->resume(options_.session, folder_.roots(), !options_.root.empty(), conversation_);
    if (!resumed)
      return say(resumed.error().message +
                 (resumed.error().code == Error::Code::not_found
                      ? command(" /session", " bodkin history") + " lists them."
                      : "")),
             false;
    before_ = conversation_.spent;
    ask_.news = history_->news();
  }

  if (!choose_its_model()) return false;
  draft_model_ = draft_model_of(lsp::draft_model_settings(settings), nullptr, second_model_);

  if (lsp::is_home(folder_.folder().path())) {
    if (!options_.json)
      say("This is your home folder, which is not searched; name the files you mean, or a "
          "folder with --root");
  } else {
    folder_.start_index();
    task().report({Progress::Kind::status, "Indexing"});
    if (!folder_.wait_for_index(stop_.get_token())) return false;
  }
  workspace_ = folder_.workspace();
  limits_ = folder_.limits();
  if (options_.in_conversation) limits_.way_to_trust = "/trust changes that";
  verifier_ = folder_.verifier(&editor_);
  return true;
}

// False: there is none; the reason is said.
bool AskRun::choose_its_model() {
  if (options_.choose && !can_ask_user()) return say("--choose needs a terminal."), false;
  for (bool was_asked = false;; was_asked = true) {
    const bool must_ask = options_.choose && !was_asked;
    const json own = lsp::user_settings();  // first: what changes now is noticed when it is written
    ModelSettings now = lsp::user_model_settings(options_.provider, options_.endpoint);
    if (!options_.model.empty()) now.name = options_.model;
    const ModelSettings settings = must_ask ? lsp::user_model_settings("auto", "") : now;
    if (!must_ask) {
      auto chosen = choose_model(settings, nullptr, task());
      if (chosen || folder_.mode() == Mode::human) {
        model_ =
            chosen ? std::move(chosen->model) : std::make_unique<NoModel>(chosen.error().message);
        return true;
      }
      const std::string& why = chosen.error().message;
      if (why != kNoModel || was_asked) {
        say(plain_line(why));
        print_way_to_another_model();
        return false;
      }
    }
    if (options_.json || !can_ask_user()) {
      say("No model: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, "
          "start Ollama, LM Studio, llama.cpp or vLLM on this machine, or run bodkin ask in a "
          "terminal to choose one; without a model, bodkin apply takes the answer of any chat");
      return false;
    }
    screen_.pause();
    const auto model =
        choose_model_in_terminal(own, settings, now, task(), options_.in_conversation);
    if (!model) return false;
    if (model->empty()) continue;
    folder_.set(
        {{"model", *model}});  // the draft's and the small model may be of this one's server
  }
}

// Says where the settings chose the model that did not answer.
void AskRun::print_way_to_another_model() const {
  if (options_.json || !options_.provider.empty() || !options_.endpoint.empty() ||
      folder_.settings().text("model.provider") == "auto")
    return;
  say(fmt::format("The model is set in {}/settings.json; {} chooses another", lsp::config_folder(),
                  command("/model", "bodkin ask --choose")));
}

// Gives the session a title like those of editors, if there is a model for it. The ask does not
// wait for it.
void AskRun::make_title_in_background() {
  const auto small = lsp::small_model_settings(folder_.settings());
  if (!small || !options_.session.empty() || !options_.record.empty()) return;
  std::promise<void> promise;
  has_title_ = promise.get_future();
  title_thread_ =
      std::jthread([this, promise = std::move(promise), settings = *small, prompt = ask_.prompt,
                    all = limits_](const std::stop_token& stop) mutable {
        const Task task{stop, nullptr};
        Limits limits;  // no other counts across asks
        limits.max_cost_usd_per_day = all.max_cost_usd_per_day;
        limits.day = all.day;
        const auto model = make_model(settings, nullptr, task);
        if (!model || limit_met(limits, Spent(), **model, limits)) return;
        Spent spent;
        if (const auto title = make_title(**model, prompt, spent, task))
          history_->set_title(*title);
        add_today(limits, spent.usage, (*model)->facts());
        promise.set_value();
      });
}

int AskRun::run(AskRequest request) {
  if (!prepare(request)) {
    if (!stop_.stop_requested()) return failed;
    screen_.pause();
    say("Cancelled.");
    return cancelled;
  }
  const bool is_watched = !options_.diff && !options_.json && can_ask_user() && ::isatty(1);
  // A setting alone neither writes what a script only wants to see, nor writes into just any
  // folder.
  const bool takes = options_.yes || (options_.mode == "auto" && !options_.diff) ||
                     (folder_.mode() == Mode::automatic && folder_.is_trusted() && is_watched);
  const bool may_decide = !takes && is_watched;
  bool records = !options_.record.empty();
  for (;;) {
    auto record = history_->begin(ask_, folder_.roots(), conversation_, *model_, task());
    if (!record) return say(record.error().message), failed;
    record_ = *std::move(record);
    if (!proposed_) make_title_in_background();
    const AskContext context{*record_,
                             *workspace_,
                             &editor_,
                             verifier_.get(),
                             limits_,
                             task(),
                             lsp::own_profiles_folder(),
                             &draft_model_};
    if (records) {
      recorded_["mode"] = name_of(folder_.mode());
      recorder_ =
          std::make_unique<AskRecorder>(recorded_, folder_.folder().path(), folder_.settings());
    }
    Outcome outcome = bodkin::run(conversation_, ask_,
                                  records ? recorder_->around(context, conversation_) : context);
    record_->end(outcome);
    history_->keep(outcome, folder_.folder());
    screen_.pause(outcome.end == Outcome::End::cancelled);
    if (std::exchange(records, false)) {  // a refinement is another ask
      const auto written = recorder_->write(options_.record, conversation_, outcome);
      if (!written) say(written.error().message);
    }
    const std::vector<ChangedFile>& files = outcome.files;
    if (outcome.end == Outcome::End::cancelled) {
      if (options_.json) return print_end(outcome, files, false), cancelled;
      drop("Cancelled", cancelled);
      if (!proposed_) print_way_on(outcome);
      return cancelled;
    }
    print_words(outcome);
    if (files.empty()) {
      const bool is_lost =
          !proposed_ && takes && outcome.lacks_edits && outcome.end == Outcome::End::done;
      if (is_lost) not_written_ = "Nothing was written: none of the edits was placed or allowed.";
      if (options_.json) print_end(outcome, files, false);
      if (proposed_ && outcome.takes_back) {
        say("The proposal was withdrawn; nothing was changed.");
        return done;
      }
      if (!proposed_ && !options_.json) print_way_on(outcome);
      if (is_lost) {
        if (!options_.json) say(not_written_);
        return failed;
      }
      if (!proposed_) return code_of(outcome);
      say("The proposal stays as it is.");  // the refinement has changed nothing of it
      const int code = decide(Outcome(*proposed_));
      if (code >= 0) return code;
      continue;
    }
    proposed_ = outcome;
    proposal_ = history_->proposal();
    if (!options_.json) print_proposal(outcome);
    if (may_decide) {
      const int code = decide(outcome);
      if (code >= 0) return code;
      continue;  // refined
    }
    const std::string why_not = why_not_taken(outcome);
    const bool writes = takes && why_not.empty();
    int code = code_of(outcome);
    if (writes) code = write(outcome, files);
    if (writes && code != done && !options_.json) print_redo();
    if (!writes && takes)
      not_written_ = "Not written: " + why_not;
    else if (!writes && !why_not.empty())
      not_written_ = "Nothing was written, nor would --yes write it: " + why_not;
    else if (!writes && !options_.diff)
      not_written_ = "Nothing was written; use --yes to write it.";
    if (options_.json) {
      print_end(outcome, files, writes && code == done);
    } else if (!writes && !not_written_.empty()) {
      say(not_written_);
      if (takes) print_redo();
    }
    return code == done && takes && !why_not.empty() ? failed : code;
  }
}

// Prints the cost of the ask, and how its session goes on, whatever has ended it.
void AskRun::print_way_on(const Outcome& outcome) {
  const bool is_done = outcome.end == Outcome::End::done;
  if (!is_done && spent().turns == 0) return;
  const std::string more = !options_.in_conversation && history_->is_kept()
                               ? "; continue with bodkin ask --session " + history_->session()
                               : "";
  put(stderr, folded(fmt::format("({}{})", effort_in_words(), more)) + "\n");
  if (is_done && conversation_.profile == "plan" && history_->is_kept())
    put(stderr, folded(options_.in_conversation ? "To carry the plan out, say so."
                                                : "To carry the plan out: bodkin ask --session " +
                                                      history_->session() + " \"carry it out\"") +
                    "\n");
}

// The exit code; -1: the ask goes on with another request.
int AskRun::decide(Outcome outcome) {
  for (;;) {
    const char key = prompt_decision(diff_of(outcome.files));
    if (stop_.stop_requested() || key == '\0') return drop("Cancelled", cancelled);
    if (key == 'd') return drop("Discarded; nothing was changed", done);
    const Since since = follow_files(outcome);
    if (key == 'r' && begin_refinement(outcome, since == Since::lost)) return -1;
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
  AskRequest refined{.prompt = *words, .dialect = "", .edit_format = "", .effort = ask_.effort};
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
  Proposal written = kept_proposal(outcome, files, folder_.folder(), true);
  if (const auto done = (*writing)->write(*writes); !done) return refuse(done.error().message);
  if (const std::string& words = (*writing)->in_place_words(); !words.empty()) say(words);
  const auto kept = history_->keep_written(std::move(written));
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

void AskRun::print_words(const Outcome& outcome) const {
  if (options_.json) return;
  if (!outcome.withheld.empty()) say_sentence(outcome.withheld);
  // Next to a diff, or of an ask that failed, the words are not the result.
  const bool is_result = outcome.files.empty() && outcome.end == Outcome::End::done;
  const bool is_redirected = is_result && !::isatty(1);
  const std::string words = is_redirected ? outcome.answer : screen_.not_shown(outcome.answer);
  if (!words.empty()) put(is_result ? stdout : stderr, words + "\n");
  if (outcome.end != Outcome::End::done) say_sentence(plain_line(outcome.reason));
  if (outcome.end == Outcome::End::failed && outcome.lacks_edits && outcome.files.empty())
    say(
        fmt::format("Ask again and name the code that you mean, as in @a.c, or choose another "
                    "model: {}",
                    command("/model", "bodkin ask --choose")));
  if (outcome.cause == "authentication")
    say(outcome.reason.contains("No API key was sent")
            ? "Name the variable with the key in bodkin.model.apiKeyEnv; bodkin check shows what "
              "is "
              "found"
            : "Check that key; bodkin check asks with it again");
  for (const char* of_the_model : {"network", "timeout", "not_found", "authentication"})
    if (outcome.cause == of_the_model) print_way_to_another_model();
}

}  // namespace

std::string session_to_go_on(const AskCommand& options) {
  auto opened = ConfinedFolder::open(root_of(options));
  if (!opened) return say(opened.error().message), "";
  const auto told = [](const std::string& words) { say(words); };
  const AskFolder folder(*std::move(opened), told);
  AskHistory history(lsp::history_limits(folder.settings()), told);
  Conversation conversation;
  const auto found =
      history.resume(options.session, folder.roots(), !options.root.empty(), conversation);
  return found ? history.session() : (say(found.error().message), "");
}

int ask_command(const AskCommand& options, AskIds* ids) {
  if (!options.in_conversation && begins_conversation(options)) return converse(options);
  if (const auto valid = check_names(options); !valid) return say(valid.error().message), usage;
  if (options.choose && !(options.provider + options.endpoint + options.model).empty())
    return say("--choose cannot be combined with --provider, --endpoint or --model."), usage;
  auto folder = ConfinedFolder::open(root_of(options));
  if (!folder) return say(folder.error().message), usage;
  if (options.choose && options.prompt.empty() && can_ask_user())  // for the next time
    return choose_model_in_terminal(lsp::user_settings(), lsp::user_model_settings("auto", ""),
                                    lsp::user_model_settings("", ""), {})
               ? done
               : failed;
  auto request = request_of(options, *folder);
  if (!request) return say(request.error().message), usage;
  if (needs_recovery(*folder)) {  // the model would be shown files that are half changed
    if (options.diff) {
      say("An earlier run was interrupted and may have left files half changed; the next run that "
          "writes restores them first.");
    } else if (const auto recovered = Writing::begin_command(*folder, "ask"); !recovered) {
      return say(recovered.error().message), failed;
    }
  }
  if (!ids) return AskRun(options, *std::move(folder), nullptr).run(*std::move(request));
  TypedAhead ahead;  // to the end: what comes meanwhile is shown at the next prompt
  int code = failed;
  {
    AskRun ask(options, *std::move(folder), &ahead);
    code = ask.run(*std::move(request));
    *ids = ask.ids();
    if (ids->session.empty() && ask.has_begun())
      say("No history is kept (bodkin.history.retentionDays), so the next request begins another "
          "session");
  }
  ahead.end();
  ids->typed = ahead.text();
  return code;
}

}  // namespace bodkin
