// An ask on its own thread: it takes the session, chooses a model, and runs the loop.
#include <algorithm>
#include <utility>

#include "agent/ask/moved_places.h"
#include "agent/context/prompt.h"
#include "agent/history/ask_record.h"
#include "agent/history/session_hold.h"
#include "agent/loop/title.h"
#include "agent/models/no_model.h"
#include "lsp/sessions/asks.h"

namespace bodkin {

namespace {

// Why no model can be asked, as in Outcome.
std::string cause_of(const Error& error) {
  if (error.message == kNoModel) return "no_model";
  if (error.setting.starts_with("model.apiKey")) return "authentication";
  return error.setting.empty() ? "" : "setting";
}

}  // namespace

Outcome Asks::cancelled_outcome() {
  Outcome outcome;
  outcome.end = Outcome::End::cancelled;
  outcome.reason = "Cancelled.";
  return outcome;
}

// Finding a model may take a while (a local server, a command for the key).
Outcome Asks::run_job(Job& job, const ModelSettings& settings,
                      const DraftModelSettings& draft_settings, const Limits& limits,
                      Verifier* verifier, const Task& task) {
  Session& session = *job.session;
  const auto hold =
      SessionHold::take(host_.history, session.id, session.conversation, job.waits, task);
  if (!hold) {
    Outcome outcome = hold.error().code == Error::Code::cancelled ? cancelled_outcome() : Outcome();
    outcome.reason = hold.error().message;
    return outcome;
  }
  job.before = session.conversation.spent;
  if (job.asked_of && job.ask.selection) {
    const std::string& path = job.ask.selection->path;
    const auto before = job.asked_of->read(path, task), now = job.workspace->read(path, task);
    if (before && now) move_places(job.ask, before->text, now->text);
  }
  NoModel none(kNoModel);
  const bool is_human = limits.mode && *limits.mode == Mode::human;
  if (!session.model) {
    auto chosen = choose_model(settings, host_.editor_models, task);
    if (!chosen && !is_human) {
      Outcome outcome;
      outcome.reason = chosen.error().message;
      outcome.cause = cause_of(chosen.error());
      outcome.setting = chosen.error().setting;
      return outcome;
    }
    if (chosen) session.model = std::move(chosen->model);
    if (chosen && host_.chose) {
      host_.loop->post(
          while_alive([this, choice = std::move(chosen->choice)] { host_.chose(choice); }));
    }
  }
  const DraftModel draft = draft_model_of(draft_settings, host_.editor_models, session.draft_model);
  AskRecord record(host_.history,
                   {.id = job.ask_id,
                    .session = session.id,
                    .workspace = job.workspace->roots(task).key(),
                    .title = title_of(job.ask),
                    .prompt = job.ask.prompt,
                    .mode = limits.mode ? std::string(name_of(limits.mode->load())) : ""},
                   session.conversation, session.model ? *session.model : none);
  const Task recorded{task.stop, [&](const Progress& progress) {
                        record.report(progress);
                        task.report(progress);
                      }};
  Outcome outcome = run(session.conversation, job.ask,
                        {record, *job.workspace, host_.editor, verifier, limits, recorded,
                         host_.own_profiles, &draft});
  record.end(outcome);
  return outcome;
}

}  // namespace bodkin
