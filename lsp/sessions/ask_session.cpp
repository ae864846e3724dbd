#include "lsp/sessions/ask_session.h"

#include <string>
#include <utility>

#include "agent/ask/limits.h"
#include "agent/context/prompt.h"
#include "agent/loop/conversation_messages.h"
#include "agent/models/no_model.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/redaction.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPrompt = 4'000;  // bytes that the title is made from
constexpr size_t kMaxTitle = 80;      // bytes
constexpr char kTitleInstructions[] =
    "Give the user's request to a programming assistant a title of at most eight words, in the "
    "language of the request. Do not answer the request. Write the title alone, without quotes.";

// A few words, in one line, for what `prompt`, the session's first request, is about. Blocks.
// `spent` gets what it cost, also if it failed. Error, for the log: unavailable (the provider
// failed, or gave no title).
Result<std::string> make_title(Model& model, const std::string& prompt, Spent& spent,
                               const Task& task) {
  ModelRequest request;
  request.system = kTitleInstructions;
  request.messages.push_back(
      {Message::Role::user, {TextBlock{shortened_to(hide_secrets(prompt), kMaxPrompt)}}});
  request.stream = false;
  redact(request);
  const auto reply = model.respond(request, {task.stop, nullptr});
  if (!reply) return fail(Error::Code::unavailable, reply.error().message);
  add(spent, reply->usage, model.facts());
  std::string title = text_of(reply->message);
  title.erase(0, title.find_first_not_of(" \t\r\n\"'*#"));
  title = titled_to(title.substr(0, title.find('\n')), kMaxTitle);
  while (!title.empty() && std::string_view(" \t\r\"'*.").contains(title.back())) title.pop_back();
  if (title.empty()) return fail(Error::Code::unavailable, "The model gave no title.");
  return plain_line(title);
}

}  // namespace

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
