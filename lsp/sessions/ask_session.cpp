#include "lsp/sessions/ask_session.h"

#include <utility>

#include "agent/context/prompt.h"
#include "agent/loop/title.h"
#include "agent/models/no_model.h"

namespace bodkin {

Result<std::optional<ModelChoice>> AskSession::choose_model(const ModelSettings& settings,
                                                            bool is_human, const Task& task) {
  if (model_) return std::nullopt;
  auto chosen = bodkin::choose_model(settings, commons_.editor_models, task);
  if (chosen) {
    model_ = std::move(chosen->model);
    return std::move(chosen->choice);
  }
  no_model_ = std::make_unique<NoModel>(chosen.error().message);
  if (is_human) return std::nullopt;
  return std::unexpected(chosen.error());
}

void AskSession::rest() {
  if (model_) model_->rest();
  if (draft_model_) draft_model_->rest();
}

Outcome AskSession::run(const std::string& ask_id, const Ask& ask, Workspace& workspace,
                        const AskSetup& setup, const Task& task, const Around& around) {
  const DraftModel draft = draft_model_of(setup.draft_model, commons_.editor_models, draft_model_);
  const auto& mode = setup.limits.mode;
  AskStart start{.id = ask_id,
                 .session = id,
                 .workspace = workspace.roots(task).key(),
                 .title = title_of(ask),
                 .prompt = ask.prompt,
                 .mode = commons_.keeps_mode && mode ? std::string(name_of(mode->load())) : ""};
  record_ = std::make_unique<AskRecord>(commons_.history, std::move(start), conversation,
                                        model_ ? *model_ : *no_model_);
  const Task recorded{task.stop, [&](const Progress& progress) {
                        record_->report(progress);
                        task.report(progress);
                      }};
  const AskContext context{*record_,     workspace, commons_.editor,       setup.verifier.get(),
                           setup.limits, recorded,  commons_.own_profiles, &draft};
  Outcome outcome = bodkin::run(conversation, ask, around ? around(context) : context);
  record_->end(outcome);
  return outcome;
}

std::optional<std::string> session_title(const ModelSettings& settings, const std::string& prompt,
                                         const Limits& limits, EditorModels* editor_models,
                                         Spent& spent, const Task& task) {
  Limits of_day;  // no other counts across asks
  of_day.max_cost_usd_per_day = limits.max_cost_usd_per_day;
  of_day.day = limits.day;
  const auto model = make_model(settings, editor_models, task);
  if (!model || limit_met(of_day, Spent(), **model, of_day)) return std::nullopt;
  auto title = make_title(**model, prompt, spent, task);
  add_today(of_day, spent.usage, (*model)->facts());
  return title ? std::optional(*std::move(title)) : std::nullopt;
}

}  // namespace bodkin
