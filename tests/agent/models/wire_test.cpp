#include <doctest/doctest.h>

#include "agent/models/http/http_model.h"
#include "agent/models/http/retry.h"
#include "agent/models/providers/local_servers.h"
#include "agent/models/providers/served_models.h"
#include "agent/models/wire/reply_builder.h"
#include "agent/models/wire/wire_error.h"
#include "agent/models/wire/wire_format.h"
#include "agent/support/held_secrets.h"
#include "agent/support/wire_json.h"

using namespace bodkin;
using nlohmann::json;

TEST_CASE("halves of a character in two deltas join") {
  const auto high = parse_wire_json(R"({"t":"a\ud83d"})");
  const auto low = parse_wire_json(R"({"t":"\ude00b"})");
  REQUIRE(high.has_value());
  REQUIRE(low.has_value());
  SurrogateJoiner joiner;
  CHECK(joiner.take(string_at(*high, "t")) == "a");
  CHECK(joiner.take("") == "");
  CHECK(joiner.take(string_at(*low, "t")) == "😀b");
  CHECK(joiner.finish() == "");
}

TEST_CASE("a reply of very many calls fails, and holds no more than a thousand of them") {
  const Task task;
  ReplyBuilder reply(task);
  for (int64_t slot = 0; slot < 20'000; ++slot)
    reply.add(reply.part(ReplyBuilder::Kind::call, slot), "{}");
  CHECK(reply.parts.size() == 1'000);
  REQUIRE(reply.error);
  CHECK(reply.error->message.find("1,000 parts") != std::string::npos);
}

TEST_CASE("a key that a call repeats is hidden, however its letters are written") {
  hold_secret("zT4wq9LmXc2VbN7e");
  const Task task;
  ReplyBuilder reply(task);
  reply.stop = StopReason::tool_use;
  ReplyBuilder::Part& part = reply.part(ReplyBuilder::Kind::call, 0);
  part.call.name = part.call.id = "zT4wq9LmXc2VbN7e";
  reply.add(part, R"({"\u007aT4wq9LmXc2VbN7e": ["k = \u007aT4wq9LmXc2VbN7e"]})");
  const auto call = std::get<ToolCall>(reply.take_reply().message.blocks.at(0));
  for (const std::string& text : {call.name, call.id, call.arguments.dump()})
    CHECK(text.find("zT4wq9LmXc2VbN7e") == std::string::npos);
  CHECK(call.malformed == "");
}

TEST_CASE("arguments with a name twice are none, since one of them would be lost") {
  const auto malformed = [](std::string_view arguments) {
    const Task task;
    ReplyBuilder reply(task);
    reply.stop = StopReason::tool_use;
    reply.add(reply.part(ReplyBuilder::Kind::call, 0), arguments);
    return std::get<ToolCall>(reply.take_reply().message.blocks.at(0)).malformed;
  };
  CHECK(malformed(R"({"a": {"b": 1}, "b": 1})") == "");
  CHECK(malformed(R"({"a": 1, "a": 1})") != "");
  CHECK(malformed(R"({"list": [{"a": 1, "b": 2, "a": 3}]})") != "");
  CHECK(malformed(R"("{\"a\": 1, \"a\": 2}")") != "");
}

TEST_CASE("half a character alone is a replacement character") {
  SurrogateJoiner joiner;
  CHECK(joiner.take(string_at(*parse_wire_json(R"({"t":"\udc00x\ud83d"})"), "t")) == "\uFFFDx");
  CHECK(joiner.take("y") == "\uFFFDy");
}

TEST_CASE("a retry waits as the provider says if that is at most a minute, and not for nothing") {
  const ModelError busy{"rate_limit", "slow down", 429};
  const auto delay = [&](HttpHead head, std::string_view body = "") {
    const auto wait = retry_delay(busy, head, body, 0, 0.0, 1'000'000'000);
    return wait ? wait->count() : -1;
  };
  CHECK(delay({429, {{"retry-after", "2"}}}) == 2000);
  CHECK(delay({429, {{"retry-after", "2"}, {"retry-after-ms", "30"}}}) == 30);
  CHECK(delay({429, {{"retry-after", "Sun, 09 Sep 2001 01:46:45 GMT"}}}) == 5000);
  CHECK(delay({429, {{"retry-after", "3600"}}}) == 500);
  CHECK(delay({429, {{"x-should-retry", "false"}}}) == -1);
  CHECK(delay({400, {}}) == -1);
  CHECK(delay({400, {{"x-should-retry", "true"}}}) == 500);
  CHECK(delay({503, {}}, R"({"retryDelay": "1.5s"})") == 1500);
  CHECK(delay({429, {}}, "Please try again in 250ms.") == 250);
  CHECK(retry_delay({"quota", "", 429}, {429, {}}, "", 0, 0, 0) == std::nullopt);
  // A delay of nothing is believed once.
  const HttpHead at_once{429, {{"retry-after-ms", "1"}}};
  CHECK(retry_delay({"rate_limit", "", 429}, at_once, "", 0, 0, 0)->count() == 1);
  CHECK(retry_delay({"rate_limit", "", 429}, at_once, "", 3, 0, 0)->count() == 400);
}

TEST_CASE("a tool with a grammar is free-form where the model has such tools, else a function") {
  ModelRequest request;
  request.tools.push_back({"apply_patch", "Patches.", {{"type", "object"}}, "start: LF"});
  const auto tool = [&](const char* model) {
    return kOpenaiResponses.body({.base = {}, .model = model}, request)["tools"][0];
  };
  CHECK(tool("gpt-6-sol") ==
        json({{"type", "custom"},
              {"name", "apply_patch"},
              {"description", "Patches."},
              {"format", {{"type", "grammar"}, {"syntax", "lark"}, {"definition", "start: LF"}}}}));
  CHECK(tool("gpt-4.1")["type"] == "function");
  CHECK(tool("other")["type"] == "function");
}

TEST_CASE("errors are sorted by the provider's words") {
  const auto kind = [](const char* body, int status) {
    const auto error = error_in(json::parse(body), status);
    return error ? error->kind + "/" + error->provider_kind : "none";
  };
  CHECK(kind(R"({"error":{"type":"insufficient_quota","code":"insufficient_quota"}})", 429) ==
        "quota/insufficient_quota");
  CHECK(kind(R"([{"error":{"code":503,"status":"UNAVAILABLE","message":"x"}}])", 503) ==
        "overloaded/UNAVAILABLE");
  CHECK(kind(R"({"error":"model not found"})", 404) == "not_found/");
  CHECK(kind(R"({"detail":"Unauthorized"})", 401) == "authentication/");
  CHECK(kind(R"({"error":{"type":"invalid_request_error","code":"context_length_exceeded"}})",
             400) == "context_length/context_length_exceeded");
  CHECK(kind(R"({"choices":[]})", 200) == "none");
}

namespace {

// A conversation with a call, its failed result, and words of the user after it.
ModelRequest conversation(json thinking_echo, json call_echo) {
  ModelRequest request;
  request.system = "S";
  request.tools = {{"run", "Runs", {{"type", "object"}}}};
  request.max_tokens = 100;
  ToolCall call;
  call.id = "c1";
  call.name = "run";
  call.arguments = {{"cmd", "ls"}};
  call.provider_state = std::move(call_echo);
  request.messages = {
      {Message::Role::user, {TextBlock{"Do"}}},
      {Message::Role::assistant,
       {ThinkingBlock{"hm", std::move(thinking_echo)}, TextBlock{"Yes."}, std::move(call)}},
      {Message::Role::user, {ToolResult{"c1", "run", "no", true}, TextBlock{"And?"}}}};
  return request;
}

}  // namespace

TEST_CASE("a request to Anthropic echoes signed thinking and marks the cache's ends") {
  const json thinking = {{"type", "thinking"}, {"thinking", "hm"}, {"signature", "sig"}};
  const json body = kAnthropic.body({.base = {}, .model = "m"}, conversation(thinking, nullptr));
  CHECK(body == json::parse(R"({"model":"m","max_tokens":100,"stream":true,
    "system":[{"type":"text","text":"S","cache_control":{"type":"ephemeral"}}],
    "tools":[{"name":"run","description":"Runs","input_schema":{"type":"object"}}],
    "messages":[{"role":"user","content":[{"type":"text","text":"Do"}]},
      {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},
        {"type":"text","text":"Yes."},
        {"type":"tool_use","id":"c1","name":"run","input":{"cmd":"ls"}}]},
      {"role":"user","content":[
        {"type":"tool_result","tool_use_id":"c1","content":"no","is_error":true},
        {"type":"text","text":"And?","cache_control":{"type":"ephemeral"}}]}]})"));
}

TEST_CASE("a Chat request has one tool message a result and DeepSeek's reasoning") {
  const json body = kOpenaiChat.body({.base = {}, .model = "m"},
                                     conversation({{"reasoning_content", "hm"}}, nullptr));
  CHECK(body == json::parse(R"({"model":"m","max_tokens":100,"stream":true,
    "stream_options":{"include_usage":true},"tool_choice":"auto",
    "tools":[{"type":"function","function":{"name":"run","description":"Runs",
      "parameters":{"type":"object"}}}],
    "messages":[{"role":"system","content":"S"},{"role":"user","content":"Do"},
      {"role":"assistant","content":"Yes.","reasoning_content":"hm","tool_calls":[{"id":"c1",
        "type":"function","function":{"name":"run","arguments":"{\"cmd\":\"ls\"}"}}]},
      {"role":"tool","tool_call_id":"c1","content":"no"},{"role":"user","content":"And?"}]})"));
}

TEST_CASE("a Responses request sends reasoning items and calls back as items") {
  const json reasoning = {{"type", "reasoning"}, {"id", "r"}, {"encrypted_content", "x"}};
  const json body =
      kOpenaiResponses.body({.base = {}, .model = "m"}, conversation(reasoning, nullptr));
  CHECK(body["input"] == json::parse(R"([
    {"type":"message","role":"user","content":[{"type":"input_text","text":"Do"}]},
    {"type":"reasoning","id":"r","encrypted_content":"x"},
    {"role":"assistant","content":"Yes."},
    {"type":"function_call","call_id":"c1","name":"run","arguments":"{\"cmd\":\"ls\"}"},
    {"type":"function_call_output","call_id":"c1","output":"no"},
    {"type":"message","role":"user","content":[{"type":"input_text","text":"And?"}]}])"));
  CHECK(body["store"] == false);
}

TEST_CASE("a Gemini request returns the thought signature and no id that was not given") {
  const json body = kGemini.body({.base = {}, .model = "m"},
                                 conversation(nullptr, {{"id", false}, {"thoughtSignature", "s"}}));
  CHECK(body["contents"] == json::parse(R"([
    {"role":"user","parts":[{"text":"Do"}]},
    {"role":"model","parts":[{"text":"Yes."},
      {"functionCall":{"name":"run","args":{"cmd":"ls"}},"thoughtSignature":"s"}]},
    {"role":"user","parts":[{"functionResponse":{"name":"run","response":{"error":"no"}}},
      {"text":"And?"}]}])"));
  CHECK(body["systemInstruction"] == json::parse(R"({"role":"user","parts":[{"text":"S"}]})"));
  CHECK(body["tools"] == json::parse(R"([{"functionDeclarations":[{"name":"run",
    "description":"Runs","parametersJsonSchema":{"type":"object"}}]}])"));
}

TEST_CASE("a request to Ollama has objects as arguments and says the context's size") {
  const json body = kOllama.body({.base = {}, .model = "m"}, conversation(nullptr, nullptr));
  CHECK(body["options"] == json::parse(R"({"num_ctx":32768,"num_predict":100})"));
  CHECK(body["messages"] == json::parse(R"([{"role":"system","content":"S"},
    {"role":"user","content":"Do"},
    {"role":"assistant","content":"Yes.","thinking":"hm","tool_calls":[{"id":"c1",
      "function":{"index":0,"name":"run","arguments":{"cmd":"ls"}}}]},
    {"role":"tool","tool_name":"run","tool_call_id":"c1","content":"no"},
    {"role":"user","content":"And?"}])"));
}

TEST_CASE("a local server is known by what it says, not by its port") {
  const auto ollama =
      recognize("ollama", "u", R"({"version":"0.9"})", R"({"models":[{"name":"q"}]})");
  REQUIRE(ollama);
  REQUIRE(ollama->models.size() == 1);
  CHECK(ollama->models[0].name == "q");
  CHECK(recognize("llama.cpp", "u", R"({"default_generation_settings":{}})",
                  R"({"data":[{"id":"a","owned_by":"llamacpp"}]})"));
  CHECK_FALSE(recognize("llama.cpp", "u", "<html>", R"({"data":[{"id":"a"}]})"));
  CHECK_FALSE(recognize("vllm", "u", R"({"data":[]})", R"({"data":[]})"));
  const auto lmstudio = recognize("lmstudio", "u", R"({"data":[{"id":"a","state":"not-loaded"},
    {"id":"e","type":"embeddings"},{"id":"b","state":"loaded","loaded_context_length":4096}]})",
                                  R"({"data":[{"id":"a"}]})");
  REQUIRE(lmstudio);
  REQUIRE(lmstudio->models.size() == 2);
  CHECK(lmstudio->models[0].name == "b");
  CHECK(lmstudio->models[0].window == 4096);
  CHECK(lmstudio->models[1].name == "a");
}

TEST_CASE("what cannot be a model's name is none") {
  const std::string list =
      R"([{"KEY":"a\nmissing  b"},{"KEY":"\u001b[2J"},{"KEY":"\u202ec"},{"KEY":")" +
      std::string(201, 'x') + R"("},{"KEY":"ok","state":"loaded"}])";
  const auto with = [&](const std::string& key, const std::string& name) {
    std::string text = list;
    for (size_t at = 0; (at = text.find("KEY")) != text.npos;) text.replace(at, 3, name);
    return "{\"" + key + "\":" + text + "}";
  };
  const std::string ids = with("data", "id");
  for (const auto& server :
       {recognize("ollama", "u", R"({"version":"0.9"})", with("models", "name")),
        recognize("llama.cpp", "u", R"({"default_generation_settings":{}})", ids),
        recognize("lmstudio", "u", ids, ids)}) {
    REQUIRE(server);
    REQUIRE(server->models.size() == 1);
    CHECK(server->models[0].name == "ok");
  }
  CHECK(names_in_list(ids) == std::vector<std::string>{"ok"});
  CHECK(local_model_in(false, ids, "", "").name == "ok");
}

TEST_CASE("what a server lists of a model are its window, its price and what it takes") {
  const ModelFacts facts = facts_in_list(
      R"({"data": [{"id": "a/b", "context_length": 5000, "top_provider": {"max_completion_tokens": 70},
          "pricing": {"prompt": "0.000002", "completion": "0.00001", "input_cache_read": "-1"},
          "supported_parameters": ["tools"], "architecture": {"input_modalities": ["text"]}}]})",
      "a/b");
  CHECK(facts.window == 5000);
  CHECK(facts.max_output == 70);
  CHECK(*facts.price.input == doctest::Approx(2));
  CHECK(*facts.price.output == doctest::Approx(10));
  CHECK_FALSE(facts.price.cache_read);
  CHECK(facts.has_tools == true);
  CHECK(facts.has_images == false);
  const auto gemini =
      R"({"models": [{"name": "models/g", "inputTokenLimit": 9, "outputTokenLimit": 2}]})";
  CHECK(facts_in_list(gemini, "g").window == 9);
  CHECK_FALSE(facts_in_list(gemini, "h").window);
  CHECK(facts_in_list(R"({"models": [{"name": "models/g", "thinking": false}]})", "g").thinks ==
        "never");
  const ModelFacts claude = facts_in_list(
      R"({"data": [{"id": "c", "max_input_tokens": 9, "max_tokens": 2, "capabilities": {
          "image_input": {"supported": false},
          "thinking": {"supported": true, "types": {"adaptive": {"supported": true}}}}}]})",
      "c");
  CHECK(claude.window == 9);
  CHECK(claude.max_output == 2);
  CHECK(claude.has_images == false);
  CHECK(claude.thinks == "unasked");
}

TEST_CASE("a local server says its model's window and whether it takes tools") {
  const LocalModel ollama = local_model_in(true, "", R"({"capabilities":["completion","tools"],
    "model_info":{"general.architecture":"qwen3","qwen3.context_length":262144}})",
                                           "qwen3");
  CHECK(ollama.window == 262144);
  CHECK(ollama.has_tools == true);
  CHECK(ollama.has_images == false);
  const LocalModel llama =
      local_model_in(false, R"({"data":[{"id":"a.gguf","owned_by":"llamacpp"}]})",
                     R"({"default_generation_settings":{"n_ctx":8192},
    "chat_template_caps":{"supports_tools":false},"modalities":{"vision":true}})",
                     "");
  CHECK(llama.name == "a.gguf");
  CHECK(llama.window == 8192);
  CHECK(llama.has_tools == false);
  CHECK(llama.has_images == true);
  const LocalModel vllm = local_model_in(
      false, R"({"data":[{"id":"x"},{"id":"m","owned_by":"vllm","max_model_len":40960}]})", "",
      "m");
  CHECK(vllm.window == 40960);
  CHECK_FALSE(vllm.has_tools.has_value());
  for (const char* key : {"context_length", "context_window", "max_context_length"}) {
    const json list = {{"data", {{{"id", "m"}, {key, 12'000}}}}};
    CHECK(local_model_in(false, list.dump(), "", "m").window == 12'000);
  }
  const LocalModel nothing = local_model_in(false, "<html>", "", "m");
  CHECK(nothing.name == "m");
  CHECK_FALSE(nothing.window.has_value());
}

namespace {

// Plays one outcome after the other.
class Scripted : public Model {
 public:
  explicit Scripted(std::vector<ModelError> failures) : failures_(std::move(failures)) {}
  std::expected<ModelReply, ModelError> respond(const ModelRequest&, const Task& task) override {
    ++asked;
    if (streams) task.report({Progress::Kind::text, "a"});
    if (asked <= failures_.size()) return std::unexpected(failures_[asked - 1]);
    return ModelReply{};
  }
  std::string description() const override { return "scripted"; }
  bool has_tools() const override { return false; }
  bool streams = true;
  size_t asked = 0;

 private:
  std::vector<ModelError> failures_;
};

}  // namespace

TEST_CASE("a reply that broke off is asked for once more, and only then") {
  const Task task{{}, [](const Progress&) {}};
  Scripted once(std::vector<ModelError>{{"truncated", "cut", 200}});
  CHECK(respond_whole(once, {}, task).has_value());
  CHECK(once.asked == 2);
  Scripted twice(std::vector<ModelError>{{"truncated", "cut", 200}, {"network", "gone", 200}});
  CHECK(respond_whole(twice, {}, task).error().kind == "network");
  CHECK(twice.asked == 2);
  Scripted wrong(std::vector<ModelError>{{"context_length", "long", 200}});
  CHECK_FALSE(respond_whole(wrong, {}, task).has_value());
  CHECK(wrong.asked == 1);
  Scripted before(std::vector<ModelError>{
      {"network", "nothing answers"}});  // HttpModel tried that again already
  before.streams = false;
  CHECK_FALSE(respond_whole(before, {}, task).has_value());
  CHECK(before.asked == 1);
}

TEST_CASE("a name that no tool can have goes back to the model as one that a service takes") {
  CHECK(wire_name("read_file") == "read_file");
  CHECK(wire_name("mcp__a-b__c") == "mcp__a-b__c");
  CHECK(wire_name("") == "unknown");
  CHECK(wire_name("functions.edit\n\xC3\xBC") == "functions_edit___");
  CHECK(wire_name(std::string(100'000, 'x')) == std::string(64, 'x'));
  ModelRequest request = conversation(nullptr, {{"type", "function_call"}, {"name", "a b"}});
  for (Message& message : request.messages)
    for (Block& block : message.blocks) {
      if (auto* call = std::get_if<ToolCall>(&block)) call->name = "a b";
      if (auto* result = std::get_if<ToolResult>(&block)) result->name = "a b";
    }
  for (const WireFormat* format :
       {&kAnthropic, &kOpenaiChat, &kOpenaiResponses, &kGemini, &kOllama}) {
    const json body = format->body({.base = {}, .model = "m"}, request);
    CAPTURE(format->name);
    CHECK(body.dump().find("a b") == std::string::npos);
    CHECK(body.dump().find("\"a_b\"") != std::string::npos);
  }
}

TEST_CASE("what is no count of tokens is none") {
  const json usage = json::parse(
      R"({"a": 12, "b": -5, "c": 18446744073709551615, "d": 9223372036854775807, "e": 1e300,
          "f": "7", "g": 7.0, "h": null})");
  CHECK(tokens_at(usage, "a") == 12);
  CHECK(tokens_at(usage, "g") == 7);
  for (const char* name : {"b", "c", "d", "e", "f", "h", "none"}) {
    CAPTURE(name);
    CHECK(tokens_at(usage, name) == 0);
  }
}

TEST_CASE("a text is continued without a conversation, at any server of local models") {
  const Wire wire{.base = "http://127.0.0.1:1/v1", .model = "m"};
  ModelRequest request;
  request.messages = {{Message::Role::user, {TextBlock{"<|fim_prefix|>a"}}}};
  request.max_tokens = 9;
  request.stop = {"</s>"};
  CHECK(kCompletions.url(wire, request) == "http://127.0.0.1:1/v1/completions");
  json body = kCompletions.body(wire, request);
  CHECK(body["prompt"] == "<|fim_prefix|>a");
  CHECK(body["max_tokens"] == 9);
  CHECK(body["stop"] == json({"</s>"}));
  body = kOllamaGenerate.body(wire, request);
  CHECK(body["raw"] == true);
  CHECK(body["options"]["stop"] == json({"</s>"}));
  CHECK(body["options"]["num_predict"] == 9);

  const Task task;
  const auto said = [&](const WireFormat& format, std::initializer_list<json> events) {
    ReplyBuilder reply(task);
    for (const json& event : events) format.read(reply, "", event);
    const ModelReply whole = reply.take_reply();
    return std::get<TextBlock>(whole.message.blocks.at(0)).text + " " +
           std::string(name_of(whole.stop_reason)) + " " + std::to_string(whole.usage.output);
  };
  CHECK(said(kCompletions, {json::parse(R"({"choices":[{"text":"b","finish_reason":null}]})"),
                            json::parse(R"({"choices":[{"text":"c","finish_reason":"length"}],
                              "usage":{"prompt_tokens":3,"completion_tokens":2}})")}) ==
        "bc max_tokens 2");
  CHECK(said(kOllamaGenerate, {json::parse(R"({"response":"b","done":false})"),
                               json::parse(R"({"response":"","done":true,"done_reason":"stop",
                                               "eval_count":2})")}) == "b end_turn 2");
}
