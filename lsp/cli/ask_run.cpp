// Prepares and runs an ask, and reports its outcome.
#include "lsp/cli/ask_run.h"

#include <fmt/format.h>

#include <cstdio>

#include "agent/models/no_model.h"
#include "agent/models/providers/providers.h"
#include "agent/platform/terminal.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_events.h"
#include "lsp/cli/model_choice.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {

using nlohmann::json;

namespace {

// Why --yes does not write it; empty: it does.
std::string why_not_taken(const Outcome& outcome) {
  if (outcome.end != Outcome::End::done) return "the ask did not finish";
  const std::vector<std::string> objections = objections_of(outcome);
  return objections.empty() ? "" : objections[0];
}

int code_of(const Outcome& outcome) {
  static constexpr int kCodes[] = {AskRun::done, AskRun::limit, AskRun::failed, AskRun::cancelled,
                                   AskRun::failed};  // by Outcome::End
  return kCodes[static_cast<size_t>(outcome.end)];
}

}  // namespace

Task AskRun::task() {
  return {stop_.get_token(), [this](const Progress& progress) {
            const bool is_off = progress.kind == Progress::Kind::step &&
                                progress.text.contains("Commands cannot run here");
            if (is_off && std::exchange(is_off_said_, true) && !options_.json) return;
            if (options_.json) {
              if (!progress.writing) print_event(event_of(progress));
            } else {
              screen_.show(progress, shown_spent());
            }
          }};
}

// False: it cannot start; the reason was printed.
bool AskRun::prepare(AskRequest& request) {
  const lsp::Settings& settings = folder_.settings();
  for (const std::string& problem : problems_of(settings)) say("Settings: " + problem);
  if (settings.is_unreadable()) return false;  // nothing would be permitted
  if (const auto mode = mode_named(options_.mode)) folder_.rules().set_mode(*mode);
  request.profile = options_.profile.empty() && options_.plan ? "plan" : options_.profile;
  request.edit_format = options_.format;
  request.effort = options_.effort;
  folder_.rules().complete(request);
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
  session_.emplace(
      AskCommons{&history_->history(), &editor_, nullptr, lsp::own_profiles_folder(), false});
  if (!options_.session.empty()) {
    const auto resumed = history_->resume(options_.session, folder_.roots(), !options_.root.empty(),
                                          session_->conversation);
    if (!resumed)
      return say(resumed.error().message +
                 (resumed.error().code == Error::Code::not_found
                      ? command(" /session", " bodkin history") + " lists them."
                      : "")),
             false;
    before_ = session_->conversation.spent;
    ask_.news = history_->news();
  }
  session_->id = history_->session();
  if (!choose_its_model()) return false;

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
  setup_ = folder_.set_up(&editor_);
  if (options_.in_conversation) setup_.limits.way_to_trust = "/trust changes that";
  return true;
}

// False: there is none; the reason was printed.
bool AskRun::choose_its_model() {
  if (options_.choose && !can_ask_user()) return say("--choose needs a terminal."), false;
  for (bool was_asked = false;; was_asked = true) {
    const bool must_ask = options_.choose && !was_asked;
    const json own = lsp::user_settings();  // first: what changes now is noticed when it is written
    const ModelSettings now =
        lsp::user_model_settings(options_.provider, options_.endpoint, options_.model);
    const ModelSettings settings = must_ask ? lsp::user_model_settings("auto", "") : now;
    if (!must_ask) {
      const auto chosen =
          session_->choose_model(settings, folder_.rules().mode() == Mode::human, task());
      if (chosen) return true;
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
  if (!setup_.title_model || !options_.session.empty() || !options_.record.empty()) return;
  std::promise<void> promise;
  has_title_ = promise.get_future();
  title_thread_ = std::jthread([this, promise = std::move(promise), settings = *setup_.title_model,
                                prompt = ask_.prompt,
                                limits = setup_.limits](const std::stop_token& stop) mutable {
    Spent spent;
    if (const auto title = session_title(settings, prompt, limits, nullptr, spent, {stop, {}}))
      history_->set_title(*title);
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
  const bool is_watched = !options_.diff && !options_.json && can_ask_user() && os::is_terminal(1);
  // A setting alone does not write what a script only wants to see, nor into an arbitrary folder.
  takes_ = options_.yes || (options_.mode == "auto" && !options_.diff) ||
           (folder_.rules().mode() == Mode::automatic && folder_.is_trusted() && is_watched);
  may_decide_ = !takes_ && is_watched;
  int code = kRefined;
  while (code == kRefined) {
    const auto id = history_->begin(folder_.roots(), session_->conversation, task());
    if (!id) return say(id.error().message), failed;
    has_begun_ = true;
    if (!proposed_) make_title_in_background();
    const Outcome outcome = ask_model(*id);
    code = outcome.end == Outcome::End::cancelled ? end_cancelled(outcome)
           : outcome.files.empty()                ? end_without_changes(outcome)
                                                  : end_with_changes(outcome);
  }
  return code;
}

Outcome AskRun::ask_model(const std::string& id) {
  const bool records = !options_.record.empty() && !recorder_;  // a refinement is another ask
  AskSession::Around around;
  if (records) {
    recorded_["mode"] = name_of(folder_.rules().mode());
    recorder_ =
        std::make_unique<AskRecorder>(recorded_, folder_.folder().path(), folder_.settings());
    around = [this](const AskContext& context) {
      return recorder_->around(context, session_->conversation);
    };
  }
  Outcome outcome = session_->run(id, ask_, *workspace_, setup_, task(), around);
  history_->keep(outcome, folder_.folder());
  screen_.pause(outcome.end == Outcome::End::cancelled);
  if (records) {
    const auto written = recorder_->write(options_.record, session_->conversation, outcome);
    if (!written) say(written.error().message);
  }
  return outcome;
}

int AskRun::end_cancelled(const Outcome& outcome) {
  if (options_.json) return print_end(outcome, outcome.files, false), cancelled;
  drop("Cancelled", cancelled);
  if (!proposed_) print_way_on(outcome);
  return cancelled;
}

int AskRun::end_without_changes(const Outcome& outcome) {
  print_words(outcome);
  const bool is_lost =
      !proposed_ && takes_ && outcome.lacks_edits && outcome.end == Outcome::End::done;
  if (is_lost) not_written_ = "Nothing was written: none of the edits was placed or allowed.";
  if (options_.json) print_end(outcome, outcome.files, false);
  if (proposed_ && outcome.takes_back)
    return say("The proposal was withdrawn; nothing was changed."), done;
  if (!proposed_ && !options_.json) print_way_on(outcome);
  if (is_lost && !options_.json) say(not_written_);
  if (!proposed_) return is_lost ? failed : code_of(outcome);
  say("The proposal stays as it is.");  // the refinement has changed nothing of it
  return decide(Outcome(*proposed_));
}

int AskRun::end_with_changes(const Outcome& outcome) {
  print_words(outcome);
  proposed_ = outcome;
  proposal_ = history_->proposal();
  if (!options_.json) print_proposal(outcome);
  if (may_decide_) return decide(outcome);
  const std::string why_not = why_not_taken(outcome);
  const bool writes = takes_ && why_not.empty();
  int code = code_of(outcome);
  if (writes) code = write(outcome, outcome.files);
  if (writes && code != done && !options_.json) print_redo();
  if (!writes && takes_)
    not_written_ = "Not written: " + why_not;
  else if (!writes && !why_not.empty())
    not_written_ = "Nothing was written, nor would --yes write it: " + why_not;
  else if (!writes && !options_.diff)
    not_written_ = "Nothing was written; use --yes to write it.";
  if (options_.json) {
    print_end(outcome, outcome.files, writes && code == done);
  } else if (!writes && !not_written_.empty()) {
    say(not_written_);
    if (takes_) print_redo();
  }
  return code == done && takes_ && !why_not.empty() ? failed : code;
}

// Prints the cost of the ask, and how its session goes on, however the ask ended.
void AskRun::print_way_on(const Outcome& outcome) {
  const bool is_done = outcome.end == Outcome::End::done;
  if (!is_done && spent().turns == 0) return;
  const std::string more = !options_.in_conversation && history_->is_kept()
                               ? "; continue with bodkin ask --session " + history_->session()
                               : "";
  print_folded(fmt::format("({}{})", effort_in_words(), more));
  if (is_done && session_->conversation.profile == "plan" && history_->is_kept())
    print_folded(options_.in_conversation ? "To carry the plan out, say so."
                                          : "To carry the plan out: bodkin ask --session " +
                                                history_->session() + " \"carry it out\"");
}

void AskRun::print_end(const Outcome& outcome, const std::vector<ChangedFile>& files,
                       bool written) {
  const bool is_kept = history_->is_kept();
  const bool has_proposal = is_kept && !files.empty() && (!written || can_be_undone_);
  Outcome told = outcome;
  if (told.reason.empty()) told.reason = not_written_;
  print_event(end_event(told, files, is_kept ? history_->session() : "", spent(), written,
                        has_proposal ? history_->proposal() : ""));
}

void AskRun::print_words(const Outcome& outcome) const {
  if (options_.json) return;
  if (!outcome.withheld.empty()) say_sentence(outcome.withheld);
  print_answer(outcome, screen_);
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

}  // namespace bodkin
