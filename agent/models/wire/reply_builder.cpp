#include "agent/models/wire/reply_builder.h"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include "agent/replies/thoughts.h"
#include "agent/support/json.h"
#include "edits/formats/reply_lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxReply = 4 << 20;  // many times what any model writes

// Whether the words, without thoughts, end in a fence that is not closed.
bool ends_in_fence(const Message& message) {
  std::string words;
  for (const Block& block : message.blocks)
    if (const auto* text = std::get_if<TextBlock>(&block))
      for (const ReplyPart& part : parts_of_reply(text->text))
        if (!part.is_thought) words += part.text;
  const ReplyLines reply(words);
  return std::ranges::any_of(fences_around(reply, reply.size()), [&](size_t line) {
    return !trimmed(reply.lines[line]).starts_with('<');
  });
}

void hide_held_secrets(json& value) {
  if (value.is_string()) {
    value = without_held_secrets(std::move(value.get_ref<std::string&>()));
  } else if (value.is_array()) {
    for (json& one : value) hide_held_secrets(one);
  } else if (value.is_object()) {
    json hidden = json::object();
    for (auto& [name, one] : value.items()) {
      hide_held_secrets(one);
      hidden[without_held_secrets(name)] = std::move(one);
    }
    value = std::move(hidden);
  }
}

}  // namespace

// The machine is only asked for the seed, since its own random numbers cost microseconds each.
std::string generated_call_id() {
  thread_local std::mt19937_64 random{std::random_device()() ^ uint64_t{std::random_device()()}
                                                                   << 32};
  std::string id = "call_";
  uint64_t bits = random();
  for (int i = 0; i < 12; ++i, bits >>= 5) id += "0123456789abcdefghijklmnopqrstuv"[bits % 32];
  return id;
}

ReplyBuilder::Part* ReplyBuilder::find(Kind kind, int64_t slot) {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (part->kind == kind && part->slot == slot) return &*part;
  return nullptr;
}

ReplyBuilder::Part& ReplyBuilder::part(Kind kind, int64_t slot) {
  Part* found = find(kind, slot);
  return found ? *found : append(kind, slot);
}

ReplyBuilder::Part& ReplyBuilder::append(Kind kind, int64_t slot) {
  if (parts.size() >= kMaxParts) {  // what follows goes nowhere
    fail_for_parts();
    return parts.back();
  }
  return parts.emplace_back(Part{kind, slot, {}, {}, false, nullptr, {}});
}

ReplyBuilder::Part* ReplyBuilder::last(Kind kind) {
  return !parts.empty() && parts.back().kind == kind ? &parts.back() : nullptr;
}

void ReplyBuilder::add(Part& part, std::string_view delta) {
  bytes_ += delta.size();
  if (bytes_ > kMaxReply) return fail({"protocol", "The reply is larger than 4 MB."});
  const std::string ready = part.keys.take(part.joiner.take(delta));
  if (ready.empty()) return;
  part.content += ready;
  if (!task_.report) return;
  auto edit = part.kind == Kind::thinking ? std::nullopt
                                          : part.edits.told(part.content, part.kind == Kind::call);
  if (edit)
    task_.report({.kind = Progress::Kind::draft,
                  .text = "",
                  .writing = std::make_shared<WrittenEdit>(*std::move(edit))});
  if (part.kind == Kind::call) {
    if (auto told = part.progress.told(part.content, part.call.name))
      task_.report({Progress::Kind::editing, *std::move(told)});
    return;
  }
  task_.report({part.kind == Kind::text ? Progress::Kind::text : Progress::Kind::thought, ready});
}

void ReplyBuilder::text(std::string_view delta) {
  Part* open = last(Kind::text);
  if (open && !open->provider_state.is_null()) open = nullptr;  // signed as it is
  if (delta.empty() && !open) return;
  add(open ? *open : append(Kind::text, -1), delta);
}

void ReplyBuilder::thinking(std::string_view delta) {
  Part* open = last(Kind::thinking);
  if (delta.empty() && !open) return;
  add(open ? *open : append(Kind::thinking, -1), delta);
}

void ReplyBuilder::fail(ModelError failure) {
  if (!error) error = std::move(failure);
}

void ReplyBuilder::fail_for_parts() { fail({"protocol", "The reply has more than 1,000 parts."}); }

void ReplyBuilder::end_without_reason() {
  const bool says_something =
      std::ranges::any_of(parts, [](const Part& one) { return one.kind != Kind::thinking; });
  if (stop || (!says_something && refusal.empty())) return;
  stop = refusal.empty() ? StopReason::end_turn : StopReason::refusal;
  is_stop_assumed_ = true;
}

ModelReply ReplyBuilder::take_reply() {
  ModelReply reply;
  reply.message.role = Message::Role::assistant;
  reply.usage = usage;
  reply.refusal = without_held_secrets(refusal);
  reply.stop_reason = stop.value_or(StopReason::other);
  const bool cut =
      reply.stop_reason != StopReason::tool_use && reply.stop_reason != StopReason::end_turn;
  bool has_calls = false;
  for (Part& part : parts) {
    const std::string rest = part.keys.take(part.joiner.finish()) + part.keys.rest();
    part.content += rest;
    if (!rest.empty() && part.kind != Kind::call && task_.report)
      task_.report(
          {part.kind == Kind::text ? Progress::Kind::text : Progress::Kind::thought, rest});
    if (part.kind == Kind::text) {
      if (!part.content.empty() || !part.provider_state.is_null())
        reply.message.blocks.push_back(
            TextBlock{std::move(part.content), std::move(part.provider_state)});
      continue;
    }
    if (part.kind == Kind::thinking) {
      if (!part.content.empty() || !part.provider_state.is_null())
        reply.message.blocks.push_back(
            ThinkingBlock{std::move(part.content), std::move(part.provider_state)});
      continue;
    }
    ToolCall call = std::move(part.call);
    call.provider_state = std::move(part.provider_state);
    if (!part.whole && !is_blank_text(part.content)) {
      std::optional<json> arguments = parse_wire_json(part.content, {}, /*unique_names=*/true);
      // Some servers encode the object twice.
      if (arguments && arguments->is_string())
        arguments = parse_wire_json(arguments->get_ref<const std::string&>(), {}, true);
      if (arguments && arguments->is_null()) arguments = json::object();
      if (arguments && arguments->is_object()) {
        call.arguments = std::move(*arguments);
      } else {
        if (is_stop_assumed_)
          fail({"truncated", "The reply is incomplete: it ends in the middle of a tool call."});
        if (cut) {
          reply.cut_call = without_held_secrets(std::move(call.name));
          continue;
        }
        call.arguments = json::object();
        call.malformed = part.content;
      }
    }
    if (call.arguments.is_null()) call.arguments = json::object();
    join_surrogates(call.arguments);
    hide_held_secrets(call.arguments);  // which escapes may have split
    call.name = without_held_secrets(std::move(call.name));
    call.id = without_held_secrets(std::move(call.id));
    if (!call.arguments.is_object()) {
      call.malformed = text_of_json(call.arguments);
      call.arguments = json::object();
    }
    if (call.id.empty()) call.id = generated_call_id();
    has_calls = true;
    reply.message.blocks.push_back(std::move(call));
  }
  if (is_stop_assumed_ && !has_calls && ends_in_fence(reply.message))
    fail({"truncated", "The reply is incomplete: it ends in the middle of a code block."});
  if (has_calls && reply.stop_reason == StopReason::end_turn)
    reply.stop_reason = StopReason::tool_use;
  if (!has_calls && reply.stop_reason == StopReason::tool_use)
    reply.stop_reason = StopReason::end_turn;
  return reply;
}

}  // namespace bodkin
