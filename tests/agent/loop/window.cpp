#include "agent/loop/window.h"

#include <doctest/doctest.h>

#include "agent/loop/conversation_messages.h"
#include "agent/loop/scripted.h"

namespace bodkin {
namespace {

// Of the messages: a request, then calls of read_file with results of 3,000 bytes.
struct LongAsk {
  explicit LongAsk(int turns) {
    ask.prompt = "Find the odd one.";
    conversation.system = "Be brief.";
    conversation.seen["a.c"] = 1;
    say(conversation, "a.c is shown.\n" + ask.prompt);
    for (int i = 0; i < turns; ++i) {
      const std::string id = "call" + std::to_string(i);
      conversation.messages.push_back(
          {Message::Role::assistant, {ToolCall{id, "read_file", {{"path", "a.c"}}, nullptr, ""}}});
      conversation.messages.push_back(
          {Message::Role::user,
           {ToolResult{id, "read_file", id + std::string(3'000, 'x'), false}}});
    }
  }

  // The request as it is sent, in a window of so many tokens.
  ModelRequest request(int64_t tokens, Result<std::string> summary = "Nothing odd so far.") {
    limits.window = tokens;
    Window window(conversation, ask, model, limits);
    ModelRequest made;
    window.fill(made,
                [&](ModelRequest& plain) {
                  sides.push_back(plain);
                  return summary;
                },
                {stop.get_token(), nullptr});
    return made;
  }

  Ask ask;
  Conversation conversation;
  Limits limits;
  ScriptedModel model{true, {}};
  std::vector<ModelRequest> sides;
  std::stop_source stop;
};

void check_order(const std::vector<Message>& messages) {
  REQUIRE(!messages.empty());
  for (size_t i = 0; i < messages.size(); ++i) {
    CAPTURE(i);
    CHECK(messages[i].role == (i % 2 == 0 ? Message::Role::user : Message::Role::assistant));
    size_t results = 0;
    for (const Block& block : messages[i].blocks)
      results += std::holds_alternative<ToolResult>(block);
    CHECK(results == (i == 0 ? 0 : calls_of(messages[i - 1]).size()));
  }
}

TEST_CASE("a request that fits is sent as it is, and so is any where the window is not known") {
  for (const int64_t tokens : {int64_t{100'000}, int64_t{0}}) {
    LongAsk one(20);
    const ModelRequest request = one.request(tokens);
    CHECK(request.messages.size() == 41);
    CHECK(bytes_of(request) > 60'000);
    CHECK(one.sides.empty());
  }
}

TEST_CASE("the oldest results are shortened first, and that is enough if they are many") {
  LongAsk one(20);
  const ModelRequest request = one.request(20'000);
  CHECK(one.sides.empty());
  CHECK(request.messages.size() == 41);
  check_order(request.messages);
  CHECK(words(request.messages[2]).size() < 400);
  CHECK(words(request.messages[2]).starts_with("call0xxx"));
  CHECK(words(request.messages[2]).find("shortened to save room") != std::string::npos);
  CHECK(words(request.messages[40]).size() > 3'000);
  CHECK(one.conversation.seen.contains("a.c"));
}

TEST_CASE("then the oldest messages are summarized, and the request is not forgotten") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    LongAsk one(60);
    const ModelRequest request =
        fails ? one.request(4'000, fail(Error::Code::unavailable, "no")) : one.request(4'000);
    REQUIRE(one.sides.size() == (fails ? 2 : 1));
    if (fails) CHECK(bytes_of(one.sides[1]) < bytes_of(one.sides[0]));
    CHECK(one.sides[0].tools.empty());
    CHECK(words(one.sides[0].messages[0]).find("# Call of read_file") != std::string::npos);
    check_order(request.messages);
    const std::string first = words(request.messages[0]);
    CHECK(first.starts_with("Summary of the conversation so far"));
    CHECK(first.find(fails ? "could not be summarized" : "Nothing odd so far.") !=
          std::string::npos);
    CHECK(first.find("Find the odd one.") != std::string::npos);
    CHECK(one.conversation.seen.empty());
    CHECK(bytes_of(request) < 4'000 * 3 / 4 / 0.3);
  }
}

TEST_CASE("no summary is paid for where only the newest result is too large") {
  LongAsk one(4);
  one.conversation.messages.push_back(
      {Message::Role::assistant, {ToolCall{"big", "read_file", {{"path", "b.c"}}, nullptr, ""}}});
  one.conversation.messages.push_back(
      {Message::Role::user,
       {ToolResult{"big", "read_file", "big" + std::string(30'000, 'y'), false}}});
  const ModelRequest request = one.request(6'000);
  CHECK(one.sides.empty());
  CHECK(request.messages.size() == 11);
  check_order(request.messages);
  CHECK(bytes_of(request) < 6'000 * 3 / 4 / 0.3);
  CHECK(words(request.messages[10]).starts_with("bigyyy"));
  CHECK(words(request.messages[10]).size() > 4'000);
  CHECK(one.conversation.seen.contains("a.c"));
}

TEST_CASE("a secret is not cut until it is no longer known as one") {
  const std::string token = "ghp_" + std::string("aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
  std::string key = "-----BEGIN RSA PRIVATE KEY-----\n";
  for (int i = 0; i < 200; ++i)
    key += "MIIEpAIBAAKCAQEAx" + std::to_string(1000 + i) + "Zk9Qb7Yw2Lr4\n";
  key += "-----END RSA PRIVATE KEY-----\n";
  for (size_t at = 3'900; at < 4'000; at += 10) {
    LongAsk one(60);
    say(one.conversation, std::string(at, 'x') + "\n" + token);
    one.conversation.messages.insert(one.conversation.messages.begin() + 1, [&] {
      Message message{Message::Role::assistant, {TextBlock{"Words.\n" + key}}};
      return message;
    }());
    one.conversation.messages.insert(
        one.conversation.messages.begin() + 2,
        Message{Message::Role::user, {TextBlock{std::string(at, 'y') + " " + token}}});
    (void)one.request(4'000);
    for (const ModelRequest& side : one.sides) {
      const std::string told = words(side.messages[0]);
      CHECK(told.find("ghp_aB") == std::string::npos);
      CHECK(told.find("MIIEpAIB") == std::string::npos);
    }
  }
}

TEST_CASE("a summary of a summary keeps the request, and a new ask stays whole behind it") {
  LongAsk one(60);
  (void)one.request(4'000);
  for (int i = 0; i < 30; ++i) {
    const std::string id = "later" + std::to_string(i);
    one.conversation.messages.push_back(
        {Message::Role::assistant, {ToolCall{id, "read_file", {{"path", "a.c"}}, nullptr, ""}}});
    one.conversation.messages.push_back(
        {Message::Role::user, {ToolResult{id, "read_file", id + std::string(3'000, 'x'), false}}});
  }
  const ModelRequest again = one.request(4'000);
  check_order(again.messages);
  CHECK(words(again.messages[0]).find("Find the odd one.") != std::string::npos);
  one.conversation.messages.push_back({Message::Role::assistant, {TextBlock{"There is none."}}});
  one.ask.prompt = "Are you sure?";
  say(one.conversation, "b.c is shown.\nAre you sure?");
  const ModelRequest next = one.request(2'000);
  CHECK(words(next.messages.back()).find("Are you sure?") != std::string::npos);
}

TEST_CASE("a result that is too large by itself is cut, however new it is") {
  LongAsk one(1);
  std::get<ToolResult>(one.conversation.messages[2].blocks[0]).content.assign(100'000, 'y');
  const ModelRequest request = one.request(4'000);
  check_order(request.messages);
  CHECK(bytes_of(request) < 4'000 * 3 / 4 / 0.3);
  CHECK(words(request.messages[2]).size() > 1'000);
}

TEST_CASE("an ask that is cancelled while the model summarizes has lost nothing") {
  LongAsk one(60);
  one.stop.request_stop();
  (void)one.request(4'000);
  CHECK(one.conversation.messages.size() == 121);
}

TEST_CASE("the size is what the provider has counted, and nonsense is not believed") {
  LongAsk one(20);
  Window window(one.conversation, one.ask, one.model, one.limits);
  const ModelRequest request = one.request(0);
  const auto bytes = static_cast<int64_t>(bytes_of(request));
  window.count(request, {.input = bytes / 2});
  CHECK(one.conversation.tokens_per_byte == doctest::Approx(0.5).epsilon(0.01));
  window.count(request, {.input = 3});
  CHECK(one.conversation.tokens_per_byte == doctest::Approx(0.1));
  window.count(request, {.input = 0});  // it did not count
  CHECK(one.conversation.tokens_per_byte == doctest::Approx(0.1));
}

}  // namespace
}  // namespace bodkin
