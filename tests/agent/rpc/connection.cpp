#include "agent/rpc/connection.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace bodkin::rpc {
namespace {

// The id and the error's code of what it answers to a message; null and 0: nothing.
std::pair<Json, int> answer_to(const std::string& message) {
  std::pair<Json, int> answer;
  Connection connection([&](const Json& sent) {
    answer = {sent.at("id"), sent.contains("error") ? sent["error"]["code"].get<int>() : 1};
  });
  connection.on_request("say", [](const Json& params, Reply reply) { reply.result(params); });
  connection.receive(message);
  return answer;
}

TEST_CASE("a request with half a character has U+FFFD in its place") {
  Json result;
  Connection connection([&](const Json& sent) { result = sent.value("result", Json()); });
  connection.on_request("say", [](const Json& params, Reply reply) { reply.result(params); });
  for (const auto& [escaped, text] : std::vector<std::pair<std::string, std::string>>{
           {R"(a\ud83d)", "a\xEF\xBF\xBD"},
           {R"(\uDE00\ud83d\ude00)", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
           {R"(\\ud83d \ud83d)", "\\ud83d \xEF\xBF\xBD"}}) {
    result = nullptr;
    connection.receive(R"({"id": 1, "method": "say", "params": {"t": ")" + escaped + "\"}}");
    CHECK(result == Json{{"t", text}});
  }
}

TEST_CASE("a request that is no JSON is answered with its own id") {
  constexpr int kBroken = -32700;
  CHECK(answer_to(R"({"id": 7, "method": "say", "params": [})") == std::pair(Json(7), kBroken));
  CHECK(answer_to("{\"params\": {\"id\": 1, \"t\": \"\xFF, \\\"id\\\": 2\"}, \"method\": \"say\", "
                  "\"id\": \"x\"}") == std::pair(Json("x"), kBroken));
  CHECK(answer_to(R"({"id":-3,"method":"say","params":")") == std::pair(Json(-3), kBroken));
  // A response, or what is no message at all, has none that would be ours to answer.
  CHECK(answer_to(R"({"id": 7, "result": [})") == std::pair(Json(), kBroken));
  CHECK(answer_to(R"({"id": {"method": 7}, "x")") == std::pair(Json(), kBroken));
  CHECK(answer_to("{") == std::pair(Json(), kBroken));
}

}  // namespace
}  // namespace bodkin::rpc
