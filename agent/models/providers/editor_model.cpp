#include "agent/models/providers/editor_model.h"

#include <algorithm>

#include "agent/models/wire/wire_error.h"
#include "agent/support/wire_json.h"

namespace bodkin {
namespace {

using nlohmann::json;

json block_of(const Block& block) {
  if (const auto* text = std::get_if<TextBlock>(&block))
    return text->text.empty() ? json() : json{{"type", "text"}, {"text", text->text}};
  if (const auto* call = std::get_if<ToolCall>(&block))
    return {{"type", "tool_call"},
            {"id", call->id},
            {"name", call->name},
            {"arguments", call->arguments}};
  if (const auto* result = std::get_if<ToolResult>(&block))
    return {{"type", "tool_result"},
            {"id", result->id},
            {"name", result->name},
            {"content", result->content},
            {"isError", result->is_error}};
  if (const auto* image = std::get_if<ImageBlock>(&block))
    return {{"type", "image"}, {"mimeType", image->media_type}, {"data", image->base64}};
  return {};  // thoughts are not sent back: the editor's API cannot carry them
}

class ModelOfEditor : public Model {
 public:
  ModelOfEditor(EditorModels& editor, EditorModelFacts facts)
      : editor_(editor), facts_(std::move(facts)) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    std::string text, thought;
    const auto progress = [&](const json& value) {
      const bool is_thought = string_at(value, "kind") == "thought";
      const std::string delta = string_at(value, "text");
      if (delta.empty()) return;
      (is_thought ? thought : text) += delta;
      if (task.report)
        task.report({is_thought ? Progress::Kind::thought : Progress::Kind::text, delta});
    };
    const auto answer =
        editor_.request(kEditorModelsRequest, editor_params(facts_.id, request), progress, task);
    if (!answer && (answer.error().code == Error::Code::cancelled || task.stop.stop_requested()))
      return std::unexpected(ModelError{"cancelled", "Cancelled."});
    if (!answer)
      return std::unexpected(ModelError{"server", "The editor's model: " + answer.error().message});
    auto reply = editor_reply(*answer, text, thought);
    // Text that came only with the answer is reported as one delta.
    if (reply && text.empty() && task.report)
      for (const Block& block : reply->message.blocks)
        if (const auto* whole = std::get_if<TextBlock>(&block))
          task.report({Progress::Kind::text, whole->text});
    return reply;
  }

  std::string description() const override {
    const std::string& name = facts_.name.empty() ? facts_.id : facts_.name;
    return name.empty() ? "the editor's own model" : name + " of the editor";
  }
  bool has_tools() const override { return facts_.has_tools; }

 private:
  EditorModels& editor_;
  EditorModelFacts facts_;
};

}  // namespace

std::unique_ptr<Model> make_editor_model(EditorModels& editor, EditorModelFacts model) {
  return std::make_unique<ModelOfEditor>(editor, std::move(model));
}

json editor_params(const std::string& model_id, const ModelRequest& request) {
  json messages = json::array();
  for (const Message& message : request.messages) {
    json content = json::array();
    for (const Block& block : message.blocks)
      if (json made = block_of(block); !made.is_null()) content.push_back(std::move(made));
    if (content.empty()) continue;
    messages.push_back({{"role", message.role == Message::Role::user ? "user" : "assistant"},
                        {"content", std::move(content)}});
  }
  json tools = json::array();
  for (const ToolSpec& tool : request.tools)
    tools.push_back(
        {{"name", tool.name}, {"description", tool.description}, {"inputSchema", tool.parameters}});
  json params = {{"modelId", model_id},
                 {"system", request.system},
                 {"messages", std::move(messages)},
                 {"tools", std::move(tools)}};
  if (request.max_tokens) params["maxTokens"] = *request.max_tokens;
  return params;
}

std::expected<ModelReply, ModelError> editor_reply(const json& answer, const std::string& text,
                                                   const std::string& thought) {
  if (const json& error = at(answer, "error"); error.is_object()) {
    std::string kind = string_at(error, "kind"), message = string_at(error, "message");
    if (kind.empty()) kind = kind_of_error("", message, 0);
    if (message.empty()) message = "The editor's model failed without an error message.";
    return std::unexpected(ModelError{std::move(kind), std::move(message)});
  }
  if (!answer.is_object())
    return std::unexpected(ModelError{"protocol", "The editor's answer is not a model's reply."});
  ModelReply reply;
  reply.message.role = Message::Role::assistant;
  std::vector<Block>& blocks = reply.message.blocks;
  if (!thought.empty()) blocks.push_back(ThinkingBlock{thought});
  const std::string whole = at(answer, "text").is_string() ? string_at(answer, "text") : text;
  if (!whole.empty()) blocks.push_back(TextBlock{whole});
  size_t number = 0;
  if (const json& calls = at(answer, "toolCalls"); calls.is_array())
    for (const json& call : calls) {
      ToolCall made;
      made.id = string_at(call, "id");
      made.name = string_at(call, "name");
      ++number;
      if (made.id.empty()) made.id = "call_" + std::to_string(number);
      const json& arguments = at(call, "arguments");
      if (arguments.is_object())
        made.arguments = arguments;
      else if (!arguments.is_null())
        made.malformed = arguments.is_string() ? arguments.get<std::string>() : arguments.dump();
      blocks.push_back(std::move(made));
    }
  const std::string stop = string_at(answer, "stopReason");
  reply.stop_reason = number ? StopReason::tool_use : StopReason::end_turn;
  for (const StopReason reason : {StopReason::max_tokens, StopReason::refusal, StopReason::other})
    if (name_of(reason) == stop) reply.stop_reason = reason;
  // The calls of a cut turn never run.
  if (reply.stop_reason == StopReason::max_tokens)
    std::erase_if(blocks, [](const Block& b) { return std::holds_alternative<ToolCall>(b); });
  reply.usage.input = tokens_at(at(answer, "usage"), "input");
  reply.usage.output = tokens_at(at(answer, "usage"), "output");
  return reply;
}

std::vector<EditorModelFacts> list_editor_models(EditorModels& editor, const Task& task) {
  std::vector<EditorModelFacts> found;
  if (!editor.has_models()) return found;
  const auto answer = editor.request(kEditorModelsList, json::object(), {}, task);
  if (!answer || !at(*answer, "models").is_array()) return found;
  for (const json& model : at(*answer, "models")) {
    EditorModelFacts facts{string_at(model, "id"), string_at(model, "name"), std::nullopt,
                           at(model, "tools") != json(false)};
    if (const int64_t tokens = int_at(model, "maxInputTokens"); tokens > 0)
      facts.max_input_tokens = tokens;
    if (!facts.id.empty()) found.push_back(std::move(facts));
  }
  return found;
}

std::string secret_of(EditorModels& editor, const std::string& provider, const Task& task) {
  if (!editor.has_secrets()) return {};
  const auto answer = editor.request(kEditorSecret, {{"name", provider}}, {}, task);
  return answer ? string_at(*answer, "value") : std::string();
}

}  // namespace bodkin
