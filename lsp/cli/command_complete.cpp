// bodkin complete: one request through a provider's adapter, JSON in and JSON out ("does my key
// work?"). The form is ours, the same for all providers.

#include <cstdio>
#include <iostream>

#include "agent/models/image.h"
#include "agent/models/providers/providers.h"
#include "agent/models/replay.h"
#include "agent/platform/terminal.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/redaction.h"
#include "lsp/cli/commands.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin {
namespace {

using nlohmann::json;

// The provider's state, also if the caller gives its fields next to the text.
json echo_of(const json& block, const std::string& text) {
  if (const json& echo = at(block, "echo"); !echo.is_null()) return echo;
  if (const json& signature = at(block, "signature"); signature.is_string())
    return {{"type", "thinking"}, {"thinking", text}, {"signature", signature}};
  if (const json& data = at(block, "data"); data.is_string())
    return {{"type", "redacted_thinking"}, {"data", data}};
  if (const json& secret = at(block, "encrypted_content"); secret.is_string())
    return {{"type", "reasoning"},
            {"id", string_at(block, "id")},
            {"summary", json::array({{{"type", "summary_text"}, {"text", text}}})},
            {"encrypted_content", secret}};
  if (const json& details = at(block, "reasoning_details"); details.is_array())
    return {{"reasoning_details", details}};
  return {{"reasoning_content", text}};
}

std::string text_of(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (content.is_array())
    for (const json& part : content) text += string_at(part, "text");
  return text;
}

Result<Block> read_block(const json& block) {
  const std::string type = string_at(block, "type");
  if (type == "text") return TextBlock{string_at(block, "text"), at(block, "echo")};
  if (type == "thinking") {
    std::string text = string_at(block, "text");
    if (text.empty()) text = string_at(block, "thinking");
    json echo = echo_of(block, text);
    return ThinkingBlock{std::move(text), std::move(echo)};
  }
  if (type == "tool_call") {
    ToolCall call;
    call.id = string_at(block, "id");
    call.name = string_at(block, "name");
    if (at(block, "arguments").is_object()) call.arguments = at(block, "arguments");
    call.provider_state = at(block, "echo");
    for (const char* key : {"thoughtSignature", "thought_signature"})
      if (at(block, key).is_string()) call.provider_state["thoughtSignature"] = at(block, key);
    return call;
  }
  if (type == "tool_result") {
    ToolResult result;
    for (const char* key : {"id", "tool_call_id"})
      if (result.id.empty()) result.id = string_at(block, key);
    result.name = string_at(block, "name");
    result.content = text_of(at(block, "content"));
    result.is_error = at(block, "is_error") == json(true);
    return result;
  }
  if (type == "image") {
    ImageBlock image{string_at(block, "media_type"), string_at(block, "base64")};
    if (image.base64.empty()) image.base64 = string_at(block, "data");
    return image;
  }
  return fail(Error::Code::invalid_input,
              "A content block must have the type text, thinking, tool_call, tool_result or image, "
              "not \"" +
                  type + "\".");
}

Result<ModelRequest> request_of(const json& form) {
  if (!form.is_object() || !at(form, "messages").is_array())
    return fail(Error::Code::invalid_input,
                "Standard input must be a JSON object with \"messages\".");
  ModelRequest request;
  request.system = text_of(at(form, "system"));
  if (at(form, "max_tokens").is_number_integer())
    request.max_tokens = static_cast<int>(int_at(form, "max_tokens"));
  if (at(form, "temperature").is_number())
    request.temperature = at(form, "temperature").get<double>();
  request.stream = at(form, "stream") != json(false);
  for (const json& message : at(form, "messages")) {
    Message made;
    const std::string role = string_at(message, "role");
    if (role != "user" && role != "assistant" && role != "tool")
      return fail(Error::Code::invalid_input,
                  "A message's role must be user or assistant, not \"" + role + "\".");
    made.role = role == "assistant" ? Message::Role::assistant : Message::Role::user;
    const json& content = at(message, "content");
    if (content.is_string()) made.blocks.push_back(TextBlock{content.get<std::string>()});
    if (content.is_array())
      for (const json& block : content) {
        auto part = read_block(block);
        if (!part) return std::unexpected(part.error());
        made.blocks.push_back(*std::move(part));
      }
    request.messages.push_back(std::move(made));
  }
  if (const json& tools = at(form, "tools"); tools.is_array())
    for (const json& tool : tools)
      request.tools.push_back(
          {string_at(tool, "name"), string_at(tool, "description"),
           at(tool, "parameters").is_object() ? at(tool, "parameters") : json{{"type", "object"}}});
  return request;
}

// The blocks, besides the flat fields, with the provider's state: they can be sent as
// the content of the next assistant message.
json content_of(const Message& message) {
  json content = json::array();
  for (const Block& block : message.blocks) {
    json made;
    if (const auto* text = std::get_if<TextBlock>(&block))
      made = {{"type", "text"}, {"text", text->text}, {"echo", text->provider_state}};
    if (const auto* thinking = std::get_if<ThinkingBlock>(&block))
      made = {{"type", "thinking"}, {"text", thinking->text}, {"echo", thinking->provider_state}};
    if (const auto* call = std::get_if<ToolCall>(&block))
      made = {{"type", "tool_call"},
              {"id", call->id},
              {"name", call->name},
              {"arguments", call->arguments},
              {"echo", call->provider_state}};
    if (at(made, "echo").is_null()) made.erase("echo");
    content.push_back(std::move(made));
  }
  return content;
}

// The answer's flat fields.
json answer_of(const ModelReply& reply) {
  json made = form_of(reply);
  made["usage"].erase("cache_write_hour");
  made["error"] = nullptr;
  made["content"] = content_of(reply.message);
  return made;
}

// Before the user's last message, as in an ask.
Result<void> add_images(ModelRequest& request, const std::vector<std::string>& files) {
  if (files.empty()) return {};
  if (request.messages.empty() || request.messages.back().role != Message::Role::user)
    return fail(Error::Code::invalid_input,
                "--image requires the last message to have the role user.");
  std::vector<Block>& blocks = request.messages.back().blocks;
  for (size_t i = 0; i < files.size(); ++i) {
    auto image = load_image(files[i]);
    if (!image) return std::unexpected(image.error());
    blocks.insert(blocks.begin() + static_cast<ptrdiff_t>(i), *std::move(image));
  }
  return {};
}

int print(const json& answer) {
  put_bytes(stdout, text_of_json(answer) + "\n");
  return at(answer, "error").is_null() ? 0 : 1;
}

json form_of_failure(const std::string& text, const std::string& thinking,
                     const ModelError& error) {
  json answer = answer_of({});
  answer["text"] = text;
  answer["thinking"] = thinking;
  answer.erase("content");
  // The provider's own kind, if given; `class` is ours, the same for all providers.
  answer["error"] = {{"kind", error.provider_kind.empty() ? error.kind : error.provider_kind},
                     {"class", error.kind},
                     {"message", error.message},
                     {"status", error.status}};
  return answer;
}

}  // namespace

int complete_command(const CompleteCommand& options) {
  if (os::is_terminal(0))
    put(stderr,
        "bodkin complete: type a request as JSON, for example\n"
        "  {\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}\n"
        "and end it with Ctrl-D\n");
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  const json form = parse_json(input).value_or(json());
  auto request = request_of(form);
  if (request)
    if (const auto added = add_images(*request, options.images); !added)
      request = std::unexpected(added.error());
  if (!request)
    return print(form_of_failure("", "", {"invalid_request", request.error().message, 0}));
  if (const size_t count = redact(*request); count > 0)
    std::fprintf(stderr, "%s\n", words_of(Withheld{{"", count}}).c_str());
  ModelSettings settings = lsp::user_model_settings(options.provider, options.endpoint);
  if (!options.provider.empty() || !options.endpoint.empty()) settings.name.clear();
  if (const std::string asked = string_at(form, "model"); !asked.empty()) settings.name = asked;
  if (!options.model.empty()) settings.name = options.model;
  if (!options.api_key_env.empty()) settings.own.api_key_env = options.api_key_env;
  if (!options.api_version.empty()) settings.own.api_version = options.api_version;
  settings.asks_server = false;  // one request, and no other
  settings.retry_seconds = 0;
  settings.idle_seconds = options.idle_limit;
  settings.progress_seconds = options.progress_limit;
  const auto model = make_model(settings);
  if (!model) return print(form_of_failure("", "", {"no_model", model.error().message, 0}));
  std::string text, thinking;
  const auto reply = (*model)->respond(*request, {{}, [&](const Progress& progress) {
                                                    if (progress.kind == Progress::Kind::text)
                                                      text += progress.text;
                                                    if (progress.kind == Progress::Kind::thought)
                                                      thinking += progress.text;
                                                    if (progress.kind == Progress::Kind::status)
                                                      put(stderr, progress.text + "\n");
                                                  }});
  return print(reply ? answer_of(*reply) : form_of_failure(text, thinking, reply.error()));
}

}  // namespace bodkin
