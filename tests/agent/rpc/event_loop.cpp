#include "agent/rpc/event_loop.h"

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "agent/rpc/connection.h"

namespace bodkin::rpc {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a call from another thread gets the loop's answer") {
  EventLoop loop;
  std::jthread asker([&] {
    const auto answer = loop.call({}, [] { return 6 * 7; });
    CHECK((answer && *answer == 42));
    loop.stop(3);
  });
  CHECK(loop.run() == 3);
}

TEST_CASE("who waits for a loop that ends is released") {
  EventLoop loop;
  std::jthread asker([&] {
    loop.post([&] { loop.stop(0); });
    const auto answer = loop.call({}, [] { return 1; });
    CHECK((!answer || *answer == 1));
    const auto late = loop.call({}, [] { return 1; });
    CHECK((!late || *late == 1));
  });
  loop.run();
  asker.join();
  const auto after = loop.call({}, [] { return 1; });
  REQUIRE(!after);
  CHECK(after.error().code == Error::Code::cancelled);
}

TEST_CASE("a stop request ends the wait for a loop that is busy") {
  EventLoop loop;  // never runs
  std::jthread asker(
      [&](const std::stop_token& stop) { CHECK(!loop.call(stop, [] { return 1; })); });
  asker.request_stop();
  asker.join();
}

TEST_CASE("delayed events run in the order of their times") {
  EventLoop loop;
  std::string order;
  loop.post_after(20ms, [&] {
    order += "c";
    loop.stop(0);
  });
  loop.post_after(5ms, [&] { order += "b"; });
  loop.post([&] { order += "a"; });
  loop.run();
  CHECK(order == "abc");
}

TEST_CASE("a reply answers exactly once, also when it is dropped") {
  std::vector<Json> sent;
  const Send send = [&](const Json& message) { sent.push_back(message); };
  {
    Reply reply(1, send);
    reply.result(5);
    reply.error(ErrorCode::internal_error, "late");
  }
  { const Reply dropped("two", send); }
  {
    Reply moved(3, send);
    Reply target = std::move(moved);
    target.result(nullptr);
  }
  REQUIRE(sent.size() == 3);
  CHECK(sent[0]["result"] == 5);
  CHECK(sent[1]["id"] == "two");
  CHECK(sent[1].contains("error"));
  CHECK(sent[2]["id"] == 3);
}

TEST_CASE("a cancelled request is answered at once, and its own late answer is dropped") {
  std::vector<Json> sent;
  Connection connection([&](const Json& message) { sent.push_back(message); });
  std::optional<Reply> held;
  connection.on_request("slow", [&](const Json&, Reply reply) { held = std::move(reply); });
  connection.receive(R"({"jsonrpc":"2.0","id":"x","method":"slow"})");
  CHECK(sent.empty());
  connection.receive(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}})");
  REQUIRE(sent.size() == 1);
  CHECK(sent[0]["error"]["code"] == -32800);
  CHECK(held->stop().stop_requested());
  held->result(1);
  held.reset();
  CHECK(sent.size() == 1);
}

TEST_CASE("what MCP's client takes back is not answered any more") {
  std::vector<Json> sent;
  Connection connection([&](const Json& message) { sent.push_back(message); }, kMcp, "The client");
  std::optional<Reply> held;
  connection.on_request("slow", [&](const Json&, Reply reply) { held = std::move(reply); });
  connection.receive(R"({"jsonrpc":"2.0","id":7,"method":"slow"})");
  connection.receive(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  CHECK(held->stop().stop_requested());
  held->result(1);
  held.reset();
  CHECK(sent.empty());
  connection.cancel_request(
      connection.request("roots/list", Json::object(), [](const Result<Json>&) {}));
  CHECK(sent.back()["method"] == "notifications/cancelled");
  CHECK(sent.back()["params"]["requestId"] == sent.front()["id"]);
}

TEST_CASE("a response with both members is what its error says, and null is no error") {
  std::vector<Json> sent;
  Connection connection([&](const Json& message) { sent.push_back(message); });
  std::vector<std::string> answers;
  for (int i = 0; i < 4; ++i) {
    connection.request("ask", nullptr, [&](const Result<Json>& answer) {
      answers.push_back((answer ? answer->dump() : answer.error().message) + " " +
                        connection.last_error().dump());
    });
  }
  CHECK(!sent[0].contains("params"));
  connection.receive(R"({"id":1,"result":5,"error":null})");
  connection.receive(R"({"id":2,"result":5,"error":{"message":"no","code":7}})");
  connection.receive(R"({"id":3,"error":null})");
  connection.receive(R"({"id":4,"error":[]})");
  CHECK(answers == std::vector<std::string>{"5 null", R"(no {"code":7,"message":"no"})",
                                            "null null", "The editor refused. []"});
}

TEST_CASE("what is no message is answered, or handed to who asked for it") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string bad[] = {"",
                             "{",
                             "\xff",
                             std::string("\0", 1),
                             "[]",
                             "7",
                             "null",
                             "{}",
                             deep,
                             R"([{"jsonrpc":"2.0","id":1,"method":"m"}])",
                             R"({"method":5})",
                             R"({"method":"m","id":{}})",
                             R"({"method":"m","id":1.5})"};
  for (const std::string& body : bad) {
    CAPTURE(body.substr(0, 100));
    std::vector<Json> sent;
    std::vector<std::string> ignored;
    Connection connection([&](const Json& message) { sent.push_back(message); });
    connection.receive(body);
    REQUIRE(sent.size() == 1);
    CHECK(sent[0]["id"] == nullptr);
    CHECK(sent[0].contains("error"));
    connection.ignored = [&](const std::string& text) { ignored.push_back(text); };
    connection.receive(body);
    CHECK(sent.size() == 1);
    CHECK(ignored == std::vector{body});
  }
}

TEST_CASE("an event that throws ends itself, is told of, and nothing else") {
  EventLoop loop;
  std::vector<std::string> told;
  loop.failed = [&](const char* what) { told.push_back(what); };
  loop.post([] { throw std::runtime_error("one"); });
  loop.post([] { throw std::bad_alloc(); });
  loop.post_after(1ms, [] { throw 3; });
  loop.post_after(2ms, [&] { loop.stop(7); });
  CHECK(loop.run() == 7);
  CHECK(told == std::vector<std::string>{"one", "out of memory", "an unknown exception"});
}

TEST_CASE("what must not be lost is posted when there is memory again, for its copies too") {
  struct Event {
    std::shared_ptr<int> failures;
    std::function<void()> run;
    Event(std::shared_ptr<int> f, std::function<void()> r)
        : failures(std::move(f)), run(std::move(r)) {}
    Event(const Event& other) : failures(other.failures), run(other.run) {
      if (--*failures >= 0) throw std::bad_alloc();
    }
    void operator()() const { run(); }
  };
  EventLoop loop;
  const Event event(std::make_shared<int>(2), [&] { loop.stop(7); });
  loop.post_reliably(event);
  CHECK(loop.run() == 7);
}

TEST_CASE("a handler that throws answers its request") {
  std::vector<Json> sent;
  Connection connection([&](const Json& message) { sent.push_back(message); });
  connection.on_request("throws", [](const Json&, Reply) { throw std::bad_alloc(); });
  EventLoop loop;
  loop.failed = [&](const char*) { loop.stop(0); };
  loop.post([&] { connection.receive(R"({"jsonrpc":"2.0","id":1,"method":"throws"})"); });
  loop.run();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0]["id"] == 1);
  CHECK(sent[0]["error"]["message"] == "Internal error in bodkin; see its log.");
}

TEST_CASE("requests that the editor never answers are given up, the oldest first") {
  Connection connection([](const Json&) {});
  std::vector<int> given_up;
  for (int i = 0; i < 10'010; ++i) {
    connection.request("window/showMessageRequest", nullptr, [&, i](const Result<Json>& answer) {
      CHECK(!answer);
      given_up.push_back(i);
    });
  }
  CHECK(given_up == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

}  // namespace
}  // namespace bodkin::rpc
