#include "lsp/editor/questions.h"

#include <doctest/doctest.h>

#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {
namespace {

struct World {
  explicit World(bool permit, std::chrono::milliseconds patience = Questions::kPatience)
      : questions(loop, connection, client, can, patience) {
    can.permit = permit;
  }
  std::string ask() {
    return questions.ask({"edit", "a.c", "Editing a.c", "+x"},
                         [this](Decision decision) { decisions.push_back(decision); });
  }

  EventLoop loop;
  std::vector<Json> sent;
  Capabilities can;
  Connection connection{[this](const Json& message) { sent.push_back(message); }};
  Client client{connection, can};
  Questions questions;
  std::vector<Decision> decisions;
};

TEST_CASE("without a plugin a question is a plain message, and answered once by its id") {
  World world(false);
  const std::string first = world.ask(), second = world.ask();
  REQUIRE(world.sent.size() == 2);
  for (const Json& message : world.sent) {
    CHECK(message["method"] == "window/showMessage");  // nothing that could be answered by a key
    CHECK(!message.contains("id"));
  }
  CHECK(world.questions.open().size() == 2);
  CHECK(world.questions.answer(second, Decision::once).has_value());
  CHECK(world.decisions == std::vector<Decision>{Decision::once});
  CHECK(!world.questions.answer(second, Decision::session).has_value());
  CHECK(!world.questions.answer("q9", Decision::session).has_value());
  CHECK(world.questions.about(first)->subject == "a.c");
  world.questions.withdraw(first);
  CHECK(!world.questions.answer(first, Decision::session).has_value());
  CHECK(!world.questions.about(first).has_value());
  CHECK(world.decisions.size() == 1);
  CHECK(world.questions.open().empty());
}

TEST_CASE("who does not answer refuses, with and without a plugin") {
  for (const bool permit : {false, true}) {
    World world(permit, std::chrono::milliseconds(1));
    world.ask();
    world.loop.post_after(std::chrono::milliseconds(2), [&] { world.loop.stop(0); });
    world.loop.run();
    CHECK(world.decisions == std::vector<Decision>{Decision::reject});
    // Our own client is told that nobody waits any more.
    CHECK((world.sent.back()["method"] == "$/cancelRequest") == permit);
  }
}

TEST_CASE("a client that announced it is asked, and only its words allow something") {
  const auto decided = [](Json answer) {
    World world(true);
    world.ask();
    CHECK(world.sent[0]["method"] == kPermit);
    CHECK(world.questions.open().empty());  // it shows it itself
    answer["jsonrpc"] = "2.0";
    answer["id"] = world.sent[0]["id"];
    world.connection.receive(answer.dump());
    REQUIRE(world.decisions.size() == 1);
    return world.decisions[0];
  };
  CHECK(decided({{"result", {{"choice", "once"}}}}) == Decision::once);
  CHECK(decided({{"result", {{"choice", "session"}}}}) == Decision::session);
  CHECK(decided({{"result", {{"choice", "always"}}}}) == Decision::session);
  // It was not offered.
  CHECK(decided({{"result", {{"choice", "workspace"}}}}) == Decision::session);
  const Json why = {{"choice", "reject"}, {"reason", "too wide"}};
  CHECK(decided({{"result", why}}) == Decision(Decision::reject, "too wide"));
  const Json no_choice = {{"choice", "maybe"}, {"reason", "too wide"}};
  CHECK(decided({{"result", no_choice}}) == Decision::reject);
  for (const Json& answer : {Json{{"result", {{"choice", "reject"}}}}, Json{{"result", nullptr}},
                             Json{{"result", "once"}}, Json{{"result", {{"choice", true}}}},
                             Json{{"error", {{"code", 1}, {"message", "once"}}}}}) {
    CHECK(decided(answer) == Decision::reject);
  }
}

TEST_CASE("a question offers what it can be allowed for, and no more") {
  for (const auto& [longest, options] :
       {std::pair(Decision::once, Json{"once", "reject"}),
        std::pair(Decision::session, Json{"once", "session", "reject"}),
        std::pair(Decision::workspace, Json{"once", "session", "workspace", "reject"})}) {
    World world(true);
    world.questions.ask({"edit", "a.c", "Editing a.c", "+x", "", longest}, [](Decision) {});
    CHECK(world.sent[0]["params"]["options"] == options);
  }
}

TEST_CASE("what cannot be allowed for the session is allowed once at most") {
  World world(false);
  const std::string id =
      world.questions.ask({"repair", "p1", "Repair: x", "", "", Decision::once},
                          [&](Decision decision) { world.decisions.push_back(decision); });
  CHECK(world.questions.answer(id, Decision::session).has_value());
  CHECK(world.decisions == std::vector<Decision>{Decision::once});
}

}  // namespace
}  // namespace bodkin::lsp
