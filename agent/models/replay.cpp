#include "agent/models/replay.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "agent/models/http/retry.h"
#include "agent/models/model_facts.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxRecording = 256 << 20;

struct Turn {
  std::vector<std::string> expect, absent;
  ModelReply reply;
  std::string text, thinking;
  std::optional<ModelError> error;
  size_t chunk_bytes = 16;
  int delay_ms = 0;
};

class Replay : public Model {
 public:
  Replay(std::string path, std::string name, const json& model, std::vector<Turn> turns,
         bool reports)
      : path_(std::move(path)),
        name_(std::move(name)),
        has_tools_(model.value("tools", true)),
        facts_(model.contains("facts") ? facts_of(kTheModel, {{kTheModel, model.at("facts")}})
                                       : ModelFacts()),
        turns_(std::move(turns)),
        reports_(reports) {}

  ~Replay() override {
    if (reports_ && next_ > 0 && next_ < turns_.size())
      std::fprintf(stderr, "replay %s: %zu of %zu turns were not used\n", path_.c_str(),
                   turns_.size() - next_, turns_.size());
  }

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    if (next_ >= turns_.size())
      return mismatch("there are replies for " + counted(turns_.size(), "turn") +
                      ", but another one was requested");
    const size_t number = next_ + 1;
    const Turn& turn = turns_[next_++];
    const std::string said = all_text_of(request);
    for (const std::string& text : turn.expect)
      if (said.find(text) == std::string::npos)
        return mismatch("turn " + std::to_string(number) + ": the request lacks \"" + text + '"');
    for (const std::string& text : turn.absent)
      if (said.find(text) != std::string::npos)
        return mismatch("turn " + std::to_string(number) + ": the request must not contain \"" +
                        text + '"');
    if (!stream(turn.thinking, Progress::Kind::thought, turn, task) ||
        !stream(turn.text, Progress::Kind::text, turn, task))
      return std::unexpected(ModelError{"cancelled", "Cancelled.", 0});
    if (!wait_for(std::chrono::milliseconds(turn.delay_ms), task.stop))
      return std::unexpected(ModelError{"cancelled", "Cancelled.", 0});
    if (turn.error) return std::unexpected(*turn.error);
    return turn.reply;
  }

  std::string description() const override { return "replay of " + name_; }
  bool has_tools() const override { return has_tools_; }
  ModelFacts facts() const override { return facts_; }

 private:
  std::unexpected<ModelError> mismatch(const std::string& what) const {
    return std::unexpected(ModelError{"replay", "Replay " + path_ + ": " + what + ".", 0});
  }

  static bool stream(const std::string& text, Progress::Kind kind, const Turn& turn,
                     const Task& task) {
    Utf8Cutter cutter;
    for (size_t i = 0; i < text.size(); i += turn.chunk_bytes) {
      if (!wait_for(std::chrono::milliseconds(turn.delay_ms), task.stop)) return false;
      const std::string delta = cutter.take(std::string_view(text).substr(i, turn.chunk_bytes));
      if (!delta.empty() && task.report) task.report({kind, delta});
    }
    return !task.stop.stop_requested();
  }

  static constexpr const char* kTheModel = "the recorded model";
  std::string path_, name_;
  bool has_tools_;
  ModelFacts facts_;
  std::vector<Turn> turns_;
  bool reports_;
  size_t next_ = 0;
};

StopReason stop_reason_of(const std::string& name) {
  for (const StopReason reason :
       {StopReason::end_turn, StopReason::tool_use, StopReason::max_tokens, StopReason::refusal})
    if (name_of(reason) == name) return reason;
  return StopReason::other;
}

// May throw json::exception.
Turn turn_of(const json& form, size_t number) {
  Turn turn;
  turn.expect = form.value("expect", std::vector<std::string>());
  turn.absent = form.value("absent", std::vector<std::string>());
  turn.chunk_bytes = std::max<size_t>(1, form.value("chunk_bytes", size_t{16}));
  turn.delay_ms = form.value("delay_ms", 0);
  if (form.contains("error")) {
    const json& error = form.at("error");
    turn.error = ModelError{error.value("kind", "server"), error.value("message", "recorded error"),
                            error.value("status", 0)};
  }
  const json reply = form.value("reply", json::object());
  turn.text = valid_utf8(reply.value("text", ""));
  turn.thinking = valid_utf8(reply.value("thinking", ""));
  std::vector<Block>& blocks = turn.reply.message.blocks;
  turn.reply.message.role = Message::Role::assistant;
  if (!turn.thinking.empty()) blocks.push_back(ThinkingBlock{turn.thinking});
  if (!turn.text.empty()) blocks.push_back(TextBlock{turn.text});
  const json calls = reply.value("tool_calls", json::array());
  for (const json& call : calls) {
    ToolCall made;
    made.name = call.at("name").get<std::string>();
    made.id =
        call.value("id", "replay_" + std::to_string(number) + "_" + std::to_string(blocks.size()));
    made.arguments = call.value("arguments", json::object());
    made.malformed = call.value("malformed", "");
    blocks.push_back(std::move(made));
  }
  turn.reply.refusal = valid_utf8(reply.value("refusal", ""));
  turn.reply.cut_call = valid_utf8(reply.value("cut_call", ""));
  turn.reply.stop_reason =
      stop_reason_of(reply.value("stop_reason", calls.empty() ? "end_turn" : "tool_use"));
  if (const json usage = reply.value("usage", json::object()); usage.is_object()) {
    turn.reply.usage = {
        usage.value("input", int64_t{0}),       usage.value("cache_read", int64_t{0}),
        usage.value("cache_write", int64_t{0}), usage.value("output", int64_t{0}),
        usage.value("reasoning", int64_t{0}),   usage.value("cache_write_hour", int64_t{0})};
  }
  return turn;
}

}  // namespace

json form_of(const ModelReply& reply) {
  json calls = json::array();
  std::string text, thinking;
  for (const Block& block : reply.message.blocks) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
    if (const auto* part = std::get_if<ThinkingBlock>(&block)) thinking += part->text;
    if (const auto* call = std::get_if<ToolCall>(&block)) {
      json made = {{"id", call->id}, {"name", call->name}, {"arguments", call->arguments}};
      if (!call->malformed.empty()) made["malformed"] = call->malformed;
      calls.push_back(std::move(made));
    }
  }
  const Usage& usage = reply.usage;
  json made = {{"text", text},
               {"thinking", thinking},
               {"tool_calls", std::move(calls)},
               {"stop_reason", name_of(reply.stop_reason)},
               {"usage",
                {{"input", usage.input},
                 {"cache_read", usage.cache_read},
                 {"cache_write", usage.cache_write},
                 {"output", usage.output},
                 {"reasoning", usage.reasoning},
                 {"cache_write_hour", usage.cache_write_hour}}}};
  if (!reply.refusal.empty()) made["refusal"] = reply.refusal;
  if (!reply.cut_call.empty()) made["cut_call"] = reply.cut_call;
  return made;
}

std::string all_text_of(const ModelRequest& request) {
  std::string all = request.system + '\n';
  for (const ToolSpec& tool : request.tools) all += tool.name + '\n' + tool.description + '\n';
  for (const Message& message : request.messages)
    for (const Block& block : message.blocks) {
      if (const auto* text = std::get_if<TextBlock>(&block)) all += text->text;
      if (const auto* result = std::get_if<ToolResult>(&block)) all += result->content;
      if (const auto* call = std::get_if<ToolCall>(&block))
        all += call->name + ' ' + text_of_json(call->arguments);
      all += '\n';
    }
  return all;
}

Result<std::unique_ptr<Model>> parse_replay(std::string_view text, const std::string& path,
                                            bool reports) {
  const auto parsed = parse_json(text);
  if (!parsed) return fail(Error::Code::invalid_input, "The replies in " + path + " are not JSON.");
  try {
    const json& form = *parsed;
    std::vector<Turn> turns;
    for (const json& turn : form.at("turns")) turns.push_back(turn_of(turn, turns.size() + 1));
    return std::make_unique<Replay>(path, form.value("name", path),
                                    form.value("model", json::object()), std::move(turns), reports);
  } catch (const json::exception&) {
    return fail(Error::Code::invalid_input,
                path +
                    " has no replies to be played. What bodkin ask --record makes is played by "
                    "bodkin replay FILE.");
  }
}

Result<std::unique_ptr<Model>> open_replay(const std::string& path) {
  if (path.empty())
    return fail(
        Error::Code::invalid_input,
        "The provider \"replay\" needs prepared replies: set model.name to their JSON file.",
        "model.name");
  const auto text = read_file(path, kMaxRecording);
  if (!text) return fail(text.error().code, "Cannot use the replies: " + text.error().message);
  return parse_replay(*text, path);
}

}  // namespace bodkin
