#include "agent/loop/requests.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "agent/loop/ask_state.h"
#include "agent/loop/conversation_messages.h"
#include "agent/loop/tags.h"
#include "agent/models/http/retry.h"
#include "agent/placing/streamed_edits.h"
#include "agent/support/embedded.h"

namespace bodkin {

Requests::Requests(AskState& state)
    : state_(state),
      window_(state.conversation, state.ask, state.model, state.limits),
      told_withheld_(words_of(state.conversation.withheld)) {}  // by an earlier ask

std::optional<Requests::Stop> Requests::reached_limit(Editor* editor) {
  for (;;) {
    take_time();
    auto met = limit_met(state_.limits, spent_, state_.model, state_.context.limits);
    if (!met) return std::nullopt;
    // A limit without a question cannot be raised: it was not reached, but cannot be counted.
    const bool has_no_price = met->which == MetLimit::Which::unknown_price;
    const Stop stop{Outcome::End::limit, met->reason, met->which,
                    met->question.empty() || has_no_price ? "setting" : "limit", met->setting};
    // The user is asked about an unknown price once in a conversation.
    const std::string granted = "unknown price " + state_.model.description();
    if (has_no_price && state_.conversation.granted.contains(granted)) {
      raise(state_.limits, met->which, spent_, state_.context.limits);
      continue;
    }
    if (met->question.empty() || !editor) return stop;
    state_.report(Progress::Kind::waiting, met->reason);
    const auto decision =
        editor->permit({"limit", "", met->question, met->reason, "", Decision::once}, state_.task);
    if (!decision && decision.error().code == Error::Code::cancelled)
      return Stop{Outcome::End::cancelled, "Cancelled."};
    if (!decision || !decision->allows()) return stop;
    take_time();
    if (has_no_price) state_.conversation.granted.insert(granted);
    raise(state_.limits, met->which, spent_, state_.context.limits);
  }
}

std::expected<ModelReply, ModelError> Requests::send(const std::vector<ToolSpec>& tools,
                                                     const Watch& watch) {
  std::optional<ModelError> refused;  // as too long
  for (size_t bytes = 0;;) {
    ModelRequest request;
    request.tools = tools;
    request.effort = state_.ask.effort;
    tell_withheld(window_.fill(
        request, [this](ModelRequest& plain) { return side(plain); }, state_.task));
    if (state_.is_stopped()) return std::unexpected(ModelError{"cancelled", "Cancelled.", 0});
    if (refused && bytes_of(request) >= bytes) return std::unexpected(*refused);
    if (window_.is_too_long(request))
      return std::unexpected(ModelError{
          "context_length",
          window_.too_small(fmt::format("it has about {}.", window_.estimated_tokens(request))), 0,
          "", "agent.contextWindow"});
    auto reply = respond(request, watch);
    if (reply) {
      if (!window_.count(request, reply->usage) && cut_.empty()) {
        cut_ = fmt::format(
            "{} counted {} tokens of a request that has about {}: it seems to cut prompts to its "
            "context window, silently",
            state_.model.description(), reply->usage.input, window_.estimated_tokens(request));
        state_.report(Progress::Kind::note, cut_);
      }
      spend(request, *reply);
      return reply;
    }
    spend(request, reply.error());
    if (reply.error().kind != "context_length") return reply;
    const bool is_again = refused.has_value();
    refused = reply.error();
    refused->message = window_.too_small(refused->message);
    refused->setting = "agent.contextWindow";
    if (is_again) return std::unexpected(*refused);
    bytes = bytes_of(request);
    window_.note_refused_size(bytes);
    state_.report(Progress::Kind::status,
                  "The conversation is too long for the model; shortening it");
  }
}

std::expected<ModelReply, ModelError> Requests::respond(const ModelRequest& request,
                                                        const Watch& watch) {
  streamed_.clear();
  StreamedEdits edits;
  TagFilter tags(watch.tags);
  const Task watched{state_.task.stop, [&](const Progress& progress) {
                       if (progress.kind == Progress::Kind::status) {  // it starts again
                         tags = TagFilter(watch.tags);
                         edits = {};
                         streamed_.clear();
                       }
                       if (progress.kind != Progress::Kind::text) {
                         if (state_.task.report) state_.task.report(progress);
                         return;
                       }
                       streamed_ += progress.text;
                       if (watch.tags.empty()) {
                         state_.report(Progress::Kind::text, progress.text);
                       } else if (std::string text = tags.add(progress.text); !text.empty()) {
                         state_.report(Progress::Kind::text, std::move(text));
                       }
                       if (!watch.edits) return;
                       if (auto told = edits.add(progress.text)) {
                         state_.report(Progress::Kind::editing, std::move(*told));
                       }
                     }};
  auto reply = respond_whole(state_.model, request, watched);
  if (std::string rest = tags.end(); !rest.empty())
    state_.report(Progress::Kind::text, std::move(rest));
  return reply;
}

Result<std::string> Requests::send_second(const std::vector<Message>& messages, const Task& task) {
  take_time();
  const DraftModel* const second = state_.context.draft_model;  // may be null
  Model* model = &state_.model;
  if (second && second->get) {
    auto made = second->get(task);
    if (!made) return std::unexpected(made.error());
    model = *made;
  }
  if (auto met = limit_met(state_.limits, spent_, *model, state_.limits))
    return fail(Error::Code::unavailable, std::move(met->reason));
  ModelRequest request;
  request.system =
      second && !second->prompt.empty()
          ? second->prompt
          : std::string(embedded_text("context/profiles/second_model.md").value_or(""));
  request.messages = messages;
  if (second) request.temperature = second->temperature;
  tell_withheld(redact(request));
  state_.report(Progress::Kind::status,
                "Asking " + model->description() + " to write out the edit");
  // Its text is not part of the answer.
  const Task quiet{task.stop, [&](const Progress& progress) {
                     if (progress.kind == Progress::Kind::status && task.report)
                       task.report(progress);
                   }};
  const auto reply = respond_whole(*model, request, quiet);
  if (!reply) {
    const bool stopped = reply.error().kind == "cancelled";
    if (may_have_cost(reply.error())) {
      add_unanswered(spent_, 0, model->facts());
      add_unanswered(state_.conversation.spent, 0, model->facts());
    }
    return fail(stopped ? Error::Code::cancelled : Error::Code::unavailable, reply.error().message);
  }
  add(spent_, reply->usage, model->facts());
  add(state_.conversation.spent, reply->usage, model->facts());
  add_today(state_.limits, reply->usage, model->facts());
  if (reply->stop_reason == StopReason::max_tokens)
    return fail(Error::Code::invalid_input, "Its answer was cut off at the length limit.");
  if (reply->stop_reason == StopReason::refusal)
    return fail(Error::Code::invalid_input, "It refused to answer.");
  return text_of(reply->message);
}

// A plain request outside the conversation: no tools, no stream.
Result<std::string> Requests::side(ModelRequest& request) {
  tell_withheld(redact(request));
  request.stream = false;
  const auto reply = state_.model.respond(request, {state_.task.stop, nullptr});
  if (!reply) {
    streamed_.clear();  // of an earlier reply
    spend(request, reply.error());
    return fail(Error::Code::unavailable, reply.error().message);
  }
  spend(request, *reply);
  return text_of(reply->message);
}

void Requests::spend(const ModelRequest& request, const ModelReply& reply) {
  const Usage& usage = reply.usage;
  const ModelFacts facts = state_.model.facts();
  if (usage.input == 0 && usage.output == 0) {
    ModelRequest all = request;
    all.messages.push_back(reply.message);
    spent_.uncounted += window_.estimated_tokens(all);
  }
  add(spent_, usage, facts);
  add(state_.conversation.spent, usage, facts);
  add_today(state_.limits, usage, facts);
}

void Requests::spend(const ModelRequest& request, const ModelError& error) {
  if (streamed_.empty() && !may_have_cost(error)) return;
  ModelRequest all = request;
  all.messages.push_back({Message::Role::assistant, {TextBlock{streamed_}}});
  const int64_t tokens = window_.estimated_tokens(all);
  add_unanswered(spent_, tokens, state_.model.facts());
  add_unanswered(state_.conversation.spent, tokens, state_.model.facts());
}

// Before they leave. `elsewhere`: secrets that stood in no file.
void Requests::tell_withheld(size_t elsewhere) {
  if (elsewhere > 0) state_.conversation.withheld[""] = elsewhere;
  std::string words = words_of(state_.conversation.withheld);
  if (words == told_withheld_) return;
  told_withheld_ = withheld_ = std::move(words);
  state_.report(Progress::Kind::status, told_withheld_);
}

}  // namespace bodkin
