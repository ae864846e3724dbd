#include "agent/history/ask_record.h"

#include <algorithm>
#include <utility>

#include "agent/support/fnv1a.h"
#include "agent/support/json.h"

namespace bodkin {

namespace {

size_t size_of(const Message& message, uint64_t& hash) {
  size_t bytes = 0;
  const auto add = [&](std::string_view part) {
    hash = fnv1a(part, fnv1a("\n", hash));
    bytes += part.size();
  };
  const auto add_json = [&](const nlohmann::json& value) {
    if (value.is_null()) return;
    add(text_of_json(value));
  };
  add(message.role == Message::Role::user ? "user" : "assistant");
  for (const Block& block : message.blocks) {
    add(std::to_string(block.index()));
    if (const auto* text = std::get_if<TextBlock>(&block)) {
      add(text->text), add_json(text->provider_state);
    } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
      add(thought->text), add_json(thought->provider_state);
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      add(call->id), add(call->name), add(call->malformed);
      add_json(call->arguments), add_json(call->provider_state);
    } else if (const auto* result = std::get_if<ToolResult>(&block)) {
      add(result->id), add(result->content);
    } else if (const auto* image = std::get_if<ImageBlock>(&block)) {
      add(image->base64);
    }
  }
  return bytes;
}

uint64_t hash_of(const Message& message) {
  uint64_t hash = fnv1a("");
  size_of(message, hash);
  return hash;
}

AskStart filled_in(AskStart start, const Model& model) {
  start.model = model.description();
  start.time = history_time();
  start.writer = run_id();
  return start;
}

}  // namespace

AskRecord::AskRecord(History* history, AskStart start, const Conversation& conversation,
                     Model& model)
    : history_(history),
      start_(filled_in(std::move(start), model)),
      conversation_(conversation),
      model_(model),
      before_(conversation.spent) {
  if (!history_) return;
  size_t bytes = start_.prompt.size() + 200;
  for (const Message& message : conversation.messages) {
    uint64_t hash = fnv1a("");
    bytes += size_of(message, hash);
    kept_.push_back({hash, ""});
  }
  history_->write(bytes, [start = start_, before = conversation.messages](HistoryStore& store) {
    const bool is_known = store.has_session(start.session);
    store.begin_ask(start);
    // The session was removed meanwhile, or its beginning never kept.
    for (size_t i = 0; !is_known && i < before.size(); ++i)
      store.put_message(start.session, start.id, i, before[i], "", start.time);
  });
}

void AskRecord::put(size_t position, const Message& message, const std::string& finish) {
  uint64_t hash = fnv1a("");
  const size_t bytes = size_of(message, hash);
  kept_.resize(std::max(kept_.size(), position + 1));
  kept_[position] = {hash, finish};
  history_->write(bytes, [start = start_, position, message, finish,
                          time = history_time()](HistoryStore& store) {
    store.put_message(start.session, start.id, position, message, finish, time);
  });
}

// The conversation begins with another message and its last one has moved up: those that were above
// have been summarized.
void AskRecord::note_summary(const std::vector<uint64_t>& now) {
  if (now.empty() || kept_.empty() || now[0] == kept_[0].hash) return;
  const auto last = std::ranges::find(now.rbegin(), now.rend(), kept_.back().hash);
  if (last == now.rend()) return;
  const auto place = static_cast<size_t>(now.rend() - last);  // from 1
  if (place >= kept_.size()) return;
  const size_t count = kept_.size() - place;
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(count));
  history_->write(100, [id = start_.session, count](HistoryStore& store) {
    store.summarize_messages(id, count);
  });
}

void AskRecord::catch_up() {
  if (!history_) return;
  const std::vector<Message>& messages = conversation_.messages;
  std::vector<uint64_t> hashes;
  for (const Message& message : messages) hashes.push_back(hash_of(message));
  note_summary(hashes);
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i < kept_.size() && kept_[i].hash == hashes[i]) continue;
    put(i, messages[i], i < kept_.size() ? kept_[i].finish : "");
  }
  if (messages.size() < kept_.size()) {
    kept_.resize(messages.size());
    history_->write(100, [id = start_.session, count = messages.size()](HistoryStore& store) {
      store.keep_messages(id, count);
    });
  }
  hand_over_state();
}

void AskRecord::hand_over_state() {
  SessionState state = state_of(conversation_);
  const std::string rest = text_of_json(state.rest);
  const uint64_t hash = fnv1a(rest, fnv1a(state.system));
  if (std::exchange(state_, hash) == hash) return;
  const size_t size = rest.size() + state.system.size();
  history_->write(size, [id = start_.session, state = std::move(state), time = history_time()](
                            HistoryStore& store) { store.set_state(id, state, time); });
  update_sum({});
}

void AskRecord::update_sum(AskSum sum) {
  sum.id = start_.id;
  sum.spent = spent_since(before_, conversation_.spent);
  const size_t size = sum.answer.size() + 200;
  history_->write(size, [sum = std::move(sum)](HistoryStore& store) { store.update_ask(sum); });
}

std::expected<ModelReply, ModelError> AskRecord::respond(const ModelRequest& request,
                                                         const Task& task) {
  // Requests other than those of the conversation are not part of it.
  if (!history_ || !request.stream || request.system != conversation_.system)
    return model_.respond(request, task);
  catch_up();
  const size_t position = conversation_.messages.size();
  history_->write(100, [start = start_, position, time = history_time()](HistoryStore& store) {
    store.begin_reply(start.session, start.id, position, time);
  });
  const Task heard{task.stop, [&](const Progress& progress) {
                     const bool is_thought = progress.kind == Progress::Kind::thought;
                     if (is_thought || progress.kind == Progress::Kind::text) {
                       history_->write(
                           progress.text.size() + 100,
                           [id = start_.session, is_thought, text = progress.text](
                               HistoryStore& store) { store.add_to_reply(id, is_thought, text); });
                     }
                     if (task.report) task.report(progress);
                   }};
  auto reply = model_.respond(request, heard);
  if (reply) {
    put(position, reply->message, std::string(name_of(reply->stop_reason)));
  } else {
    history_->write(100, [id = start_.session, why = reply.error().kind](HistoryStore& store) {
      store.break_reply(id, why);
    });
  }
  return reply;
}

void AskRecord::report(const Progress& progress) {
  using Kind = Progress::Kind;
  if (!history_ || progress.kind == Kind::text || progress.kind == Kind::thought ||
      progress.kind == Kind::draft)
    return;
  hand_over_state();
  if (!progress.step || progress.step->call.id.empty()) return;
  const Step& step = *progress.step;
  CallRow row{start_.id,        step.call.id, step.tool,      step.call.reason, step.call.arguments,
              step.call.result, step.failed,  history_time(), step.time.count()};
  const size_t bytes = row.parameters.size() + row.result.size() + 200;
  history_->write(bytes, [row = std::move(row)](HistoryStore& store) { store.add_call(row); });
}

void AskRecord::end(const Outcome& outcome) {
  if (!history_) return;
  catch_up();
  update_sum({.ended = history_time(),
              .outcome = name_of(outcome.end),
              .answer = outcome.answer,
              .reason = outcome.reason});
}

}  // namespace bodkin
