#include "agent/models/replay.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "agent/support/utf8.h"

using namespace bodkin;

namespace {

std::unique_ptr<Model> replay(std::string_view text) {
  auto model = parse_replay(text, "test.json");
  REQUIRE(model.has_value());
  return std::move(*model);
}

ModelRequest asking(std::string text) {
  ModelRequest request;
  request.system = "be brief";
  request.messages.push_back({Message::Role::user, {TextBlock{std::move(text)}}});
  return request;
}

}  // namespace

TEST_CASE("a replayed reply arrives in pieces that are valid UTF-8 each") {
  auto model = replay(R"({"turns":[{"reply":{"text":"é世👋x"},"chunk_bytes":1}]})");
  std::vector<std::string> pieces;
  const auto reply = model->respond(
      asking("hi"), {{}, [&](const Progress& progress) { pieces.push_back(progress.text); }});
  REQUIRE(reply.has_value());
  CHECK(pieces == std::vector<std::string>{"é", "世", "👋", "x"});
  CHECK(reply->stop_reason == StopReason::end_turn);
}

TEST_CASE("a replay that expects a missing text names the turn and the text") {
  auto model = replay(R"({"turns":[{"expect":["be brief","salt"],"reply":{"text":"a"}}]})");
  const auto reply = model->respond(asking("pepper"), {});
  REQUIRE(!reply.has_value());
  CHECK(reply.error().message.find("turn 1") != std::string::npos);
  CHECK(reply.error().message.find("\"salt\"") != std::string::npos);
}

TEST_CASE("a replay looks into tool results and refuses what must be absent") {
  auto model = replay(R"({"turns":[{"expect":["41 lines"],"reply":{}},
                                   {"absent":["41 lines"],"reply":{}}]})");
  ModelRequest request = asking("x");
  request.messages.push_back({Message::Role::user, {ToolResult{"1", "read_file", "41 lines"}}});
  CHECK(model->respond(request, {}).has_value());
  const auto second = model->respond(request, {});
  REQUIRE(!second.has_value());
  CHECK(second.error().message.find("turn 2") != std::string::npos);
}

TEST_CASE("a replay is asked once too often") {
  auto model =
      replay(R"({"turns":[{"error":{"kind":"overloaded","message":"busy","status":529}}]})");
  const auto first = model->respond(asking("x"), {});
  REQUIRE(!first.has_value());
  CHECK(first.error().kind == "overloaded");
  CHECK(first.error().status == 529);
  const auto second = model->respond(asking("x"), {});
  REQUIRE(!second.has_value());
  CHECK(second.error().message.find("another one was requested") != std::string::npos);
}

TEST_CASE("a stop ends a replay's delay") {
  auto model = replay(R"({"turns":[{"reply":{"text":"abc"},"chunk_bytes":1,"delay_ms":600000}]})");
  std::jthread asker([&](std::stop_token stop) {
    const auto reply = model->respond(asking("x"), {stop, {}});
    REQUIRE(!reply.has_value());
    CHECK(reply.error().kind == "cancelled");
  });
  asker.request_stop();
  asker.join();
}

TEST_CASE("replayed tool calls get an id and the stop reason tool_use") {
  auto model =
      replay(R"({"turns":[{"reply":{"tool_calls":[{"name":"edit","arguments":{"path":"a"}}]}}]})");
  const auto reply = model->respond(asking("x"), {});
  REQUIRE(reply.has_value());
  CHECK(reply->stop_reason == StopReason::tool_use);
  const auto& call = std::get<ToolCall>(reply->message.blocks.at(0));
  CHECK(!call.id.empty());
  CHECK(call.arguments["path"] == "a");
}

TEST_CASE("bytes that are no character come out as replacement characters") {
  CHECK(valid_utf8("a\xFF"
                   "b\xE4\xB8") ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(valid_utf8("\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}
