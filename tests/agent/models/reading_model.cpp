#include "agent/models/reading_model.h"

#include <doctest/doctest.h>

using namespace bodkin;
using nlohmann::json;

namespace {

const std::vector<ToolSpec> kTools = {{"look",
                                       "",
                                       {{"type", "object"},
                                        {"properties", {{"path", {{"type", "string"}}}}},
                                        {"required", {"path"}}}}};

ModelReply said(std::string text, StopReason stop = StopReason::end_turn) {
  return {{Message::Role::assistant, {TextBlock{std::move(text)}}}, stop, {}, {}};
}

// Streams its text in pieces of this size.
class Streaming : public Model {
 public:
  Streaming(std::string text, size_t piece) : text_(std::move(text)), piece_(piece) {}
  std::expected<ModelReply, ModelError> respond(const ModelRequest&, const Task& task) override {
    for (size_t i = 0; i < text_.size(); i += piece_)
      task.report({Progress::Kind::text, text_.substr(i, piece_)});
    return said(text_);
  }
  std::string description() const override { return "a stream"; }
  bool has_tools() const override { return true; }

 private:
  const std::string text_;
  const size_t piece_;
};

}  // namespace

TEST_CASE("thoughts in the text become thinking, and a signed text stays one block") {
  ModelReply reply = said("Well.\n\n<think>\nHm.\n</think>\n\nYes.");
  reply.message.blocks.push_back(TextBlock{"<think>No.</think>A", {{"signature", "s"}}});
  read_reply(reply, {});
  const auto& blocks = reply.message.blocks;
  REQUIRE(blocks.size() == 5);
  CHECK(std::get<TextBlock>(blocks[0]).text == "Well.\n\n");
  CHECK(std::get<ThinkingBlock>(blocks[1]).text == "\nHm.\n");
  CHECK(std::get<TextBlock>(blocks[2]).text == "Yes.");
  CHECK(std::get<ThinkingBlock>(blocks[3]).text == "No.");
  CHECK(std::get<TextBlock>(blocks[4]).text == "A");
  CHECK(std::get<TextBlock>(blocks[4]).provider_state["signature"] == "s");
}

TEST_CASE("a call in the text becomes a call, but for one that the server has made already") {
  const std::string form = "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"path\": \"a\"}}\n";
  ModelReply reply = said("I look.\n" + form);
  read_reply(reply, kTools);
  CHECK(reply.stop_reason == StopReason::tool_use);
  REQUIRE(reply.message.blocks.size() == 2);
  CHECK(std::get<TextBlock>(reply.message.blocks[0]).text == "I look.");
  const auto& call = std::get<ToolCall>(reply.message.blocks[1]);
  CHECK(call.name == "look");
  CHECK(call.id != "");
  CHECK(call.arguments == json{{"path", "a"}});

  ModelReply twice = said(form);
  twice.message.blocks.push_back(ToolCall{"1", "look", {{"path", "a"}}, nullptr, ""});
  read_reply(twice, kTools);
  CHECK(twice.message.blocks.size() == 1);

  ModelReply thought = said("<think>" + form + "</think>Yes.");
  read_reply(thought, kTools);
  CHECK(thought.stop_reason == StopReason::end_turn);
  CHECK(thought.message.blocks.size() == 2);

  ModelReply wrong = said("<tool_call>\n{\"name\": \"fly\", \"arguments\": {}}\n</tool_call>");
  read_reply(wrong, kTools);
  CHECK(wrong.wrong_call.find("\"fly\"") != std::string::npos);
  CHECK(wrong.stop_reason == StopReason::end_turn);
}

TEST_CASE("a call's name and arguments are cleaned") {
  ModelReply reply = said("");
  ToolCall call{"1", "functions.look:0", json::object(), nullptr, "{\"path\": \"a\",}"};
  reply.message.blocks.push_back(call);
  read_reply(reply, kTools);
  REQUIRE(reply.message.blocks.size() == 1);
  const auto& made = std::get<ToolCall>(reply.message.blocks[0]);
  CHECK(made.name == "look");
  CHECK(made.malformed == "");
  CHECK(made.arguments == json{{"path", "a"}});
  CHECK(made.repaired != "");
}

TEST_CASE("what streams is words or thoughts, and no markup of a call") {
  const std::string text =
      "Well. <b>\n\n<think>\nHm.\n</think>\n\nI look.\n<tool_call>\n{\"name\": \"look\", "
      "\"arguments\": {\"path\": \"a\"}}\n</tool_call>";
  for (size_t piece = 1; piece <= text.size(); ++piece) {
    std::string words, thoughts;
    const auto model = reading_model(std::make_unique<Streaming>(text, piece));
    ModelRequest request;
    request.tools = kTools;
    const auto reply = model->respond(
        request, {{}, [&](const Progress& progress) {
                    (progress.kind == Progress::Kind::text ? words : thoughts) += progress.text;
                  }});
    CAPTURE(piece);
    CHECK(words == "Well. <b>\n\nI look.\n");
    CHECK(thoughts == "\nHm.\n");
    REQUIRE(reply);
    CHECK(reply->message.blocks.size() == 4);
  }
}
