#include "agent/loop/second_model.h"

#include "agent/loop/conversation_messages.h"
#include "agent/models/http/retry.h"
#include "agent/support/embedded.h"

namespace bodkin {

Result<std::string> SecondModel::ask(const std::vector<Message>& messages, const Task& task) {
  Model* model = &main_;
  if (own_ && own_->get) {
    auto made = own_->get(task);
    if (!made) return std::unexpected(made.error());
    model = *made;
  }
  if (auto met = limit_met(limits_, spent_, *model, limits_))
    return fail(Error::Code::unavailable, std::move(met->reason));
  ModelRequest request;
  request.system =
      own_ && !own_->prompt.empty()
          ? own_->prompt
          : std::string(embedded_text("context/profiles/second_model.md").value_or(""));
  request.messages = messages;
  if (own_) request.temperature = own_->temperature;
  redacted_(redact(request));
  const auto report = [&](const Progress& progress) {
    if (task.report) task.report(progress);
  };
  report({Progress::Kind::status, "Asking " + model->description() + " to finish the sketch"});
  // Its text is no part of the answer.
  const Task quiet{task.stop, [&](const Progress& progress) {
                     if (progress.kind == Progress::Kind::status) report(progress);
                   }};
  const auto reply = respond_whole(*model, request, quiet);
  if (!reply) {
    const bool stopped = reply.error().kind == "cancelled";
    if (may_have_cost(reply.error())) {
      add_unanswered(spent_, 0, model->facts());
      add_unanswered(conversation_.spent, 0, model->facts());
    }
    return fail(stopped ? Error::Code::cancelled : Error::Code::unavailable, reply.error().message);
  }
  add(spent_, reply->usage, model->facts());
  add(conversation_.spent, reply->usage, model->facts());
  add_today(limits_, reply->usage, model->facts());
  if (reply->stop_reason == StopReason::max_tokens)
    return fail(Error::Code::invalid_input, "Its answer was cut off at the length limit.");
  if (reply->stop_reason == StopReason::refusal)
    return fail(Error::Code::invalid_input, "It refused to answer.");
  return text_of(reply->message);
}

}  // namespace bodkin
