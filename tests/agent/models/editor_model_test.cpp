#include "agent/models/providers/editor_model.h"

#include <doctest/doctest.h>

#include "agent/models/providers/providers.h"

using namespace bodkin;
using nlohmann::json;

namespace {

// An editor that answers from a script.
class FakeEditor : public EditorModels {
 public:
  bool has_models() const override { return models; }
  bool has_secrets() const override { return secrets; }
  Result<json> request(const char* method, json params, const OnProgress& progress,
                       const Task&) override {
    asked.emplace_back(method, params);
    if (progress)
      for (const json& delta : deltas) progress(delta);
    if (std::string_view(method) == kEditorSecret)
      return json{{"value", params["name"] == "openai" ? json("sk-from-store") : json(nullptr)}};
    return answer;
  }
  bool models = true, secrets = false;
  std::vector<json> deltas;
  Result<json> answer = json::object();
  std::vector<std::pair<std::string, json>> asked;
};

ModelRequest request_with_a_result() {
  ModelRequest request;
  request.system = "S";
  ToolCall call;
  call.id = "c1";
  call.name = "run";
  call.arguments = {{"cmd", "ls"}};
  request.messages = {{Message::Role::user, {TextBlock{"Do"}, ImageBlock{"image/png", "QUJD"}}},
                      {Message::Role::assistant, {ThinkingBlock{"hm"}, TextBlock{"Yes."}, call}},
                      {Message::Role::user, {ToolResult{"c1", "run", "no", true}}}};
  request.tools = {{"run", "Runs", {{"type", "object"}}}};
  return request;
}

}  // namespace

TEST_CASE("a request to the editor's model has the whole conversation in its form") {
  CHECK(editor_params("m", request_with_a_result()) == json::parse(R"({
    "modelId":"m","system":"S","messages":[
      {"role":"user","content":[{"type":"text","text":"Do"},
        {"type":"image","mimeType":"image/png","data":"QUJD"}]},
      {"role":"assistant","content":[{"type":"text","text":"Yes."},
        {"type":"tool_call","id":"c1","name":"run","arguments":{"cmd":"ls"}}]},
      {"role":"user","content":[
        {"type":"tool_result","id":"c1","name":"run","content":"no","isError":true}]}],
    "tools":[{"name":"run","description":"Runs","inputSchema":{"type":"object"}}]})"));
}

TEST_CASE("the editor's deltas are reported in order and its calls come with the answer") {
  FakeEditor editor;
  editor.deltas = {{{"kind", "thought"}, {"text", "hm"}},
                   {{"kind", "text"}, {"text", "a"}},
                   {{"kind", "text"}, {"text", "b"}}};
  editor.answer = json::parse(R"({"toolCalls":[{"id":"x","name":"run","arguments":{"cmd":"ls"}}],
    "stopReason":"tool_use","usage":{"input":7,"output":2}})");
  const auto model = make_editor_model(editor, {"id", "Fine model", std::nullopt});
  std::string said;
  const auto reply = model->respond({}, {{}, [&](const Progress& p) { said += p.text + "|"; }});
  REQUIRE(reply);
  CHECK(said == "hm|a|b|");
  CHECK(reply->stop_reason == StopReason::tool_use);
  CHECK(reply->usage.input == 7);
  REQUIRE(reply->message.blocks.size() == 3);
  CHECK(std::get<TextBlock>(reply->message.blocks[1]).text == "ab");
  CHECK(std::get<ToolCall>(reply->message.blocks[2]).arguments == json{{"cmd", "ls"}});
}

TEST_CASE("the calls of a cut reply of the editor's model never run, and its failures are told") {
  FakeEditor editor;
  editor.answer =
      json::parse(R"({"text":"t","toolCalls":[{"name":"run"}],"stopReason":"max_tokens"})");
  const auto model = make_editor_model(editor, {});
  const auto cut = model->respond({}, {});
  REQUIRE(cut);
  CHECK(cut->message.blocks.size() == 1);
  editor.answer = json::parse(R"({"error":{"kind":"permission","message":"You said no."}})");
  const auto refused = model->respond({}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == "permission");
  CHECK(refused.error().message == "You said no.");
  editor.answer = fail(Error::Code::cancelled, "Cancelled.");
  CHECK(model->respond({}, {}).error().kind == "cancelled");
}

TEST_CASE("a key in the editor's secret store is used, and its source is told") {
  FakeEditor editor;
  editor.secrets = true;
  ModelSettings settings;
  for (const char* dialect : {"openai", "openai-chat", "openai-responses"}) {
    settings.provider = dialect;
    const auto chosen = choose_model(settings, &editor, {});
    REQUIRE(chosen);
    CHECK(chosen->choice.key_source == "the editor, where you entered it");
    CHECK(editor.asked.back().second == json{{"name", "openai"}});
  }
}

TEST_CASE("an editor that could pass on models but has none is not chosen") {
  FakeEditor editor;
  editor.answer = json::parse(R"({"models":[]})");
  const auto chosen = choose_model({}, &editor, {});
  CHECK((!chosen || chosen->choice.provider != "editor"));  // this machine may have another
}
