#include "lsp/editor/diagnostics_bridge.h"

#include <doctest/doctest.h>

namespace bodkin::lsp {
namespace {

using namespace std::chrono_literals;

constexpr char kUri[] = "file:///C:/w/a.c";

// An editor with one document, and a client whose answers the test gives by hand.
struct World {
  World() {
    documents.set_encoding(Encoding::utf8);
    documents.add_folder({"file:///C:/w", "w"});
    documents.open({kUri, "c", "int a;\nint b;\n", 1});
  }

  void can_pull() {
    bridge.pull = [this](const Document&, DiagnosticsBridge::Answer answer) {
      asked = std::move(answer);
      if (on_asked) on_asked();
    };
  }
  void publish(std::optional<int64_t> version, std::vector<std::string> messages,
               std::optional<std::vector<std::string>> servers = std::nullopt,
               std::optional<std::vector<std::string>> reported = std::nullopt) {
    DiagnosticsParams params;
    params.uri = kUri;
    params.document_version = version;
    for (const std::string& message : messages) {
      params.diagnostics.push_back(
          {{"range", Range{{1, 0}, {1, 3}}}, {"message", message}, {"source", "cc"}});
    }
    params.servers = std::move(servers);
    params.reported = std::move(reported);
    bridge.receive(params);
  }
  void change(int64_t version) {
    (void)documents.change({kUri, version, {{Range{{0, 0}, {0, 0}}, "//\n"}}});
    bridge.document_changed(kUri);
  }
  void answer(int64_t version, const char* state) {
    asked(Json{{"documentVersion", version},
               {"diagnostics", Json::array()},
               {"servers", {{{"name", "cc"}, {"state", state}}}}});
  }
  void answer(int64_t version, std::vector<std::pair<const char*, const char*>> states) {
    Json servers = Json::array();
    for (const auto& [name, state] : states) servers.push_back({{"name", name}, {"state", state}});
    asked(Json{{"documentVersion", version},
               {"diagnostics", Json::array()},
               {"servers", std::move(servers)}});
  }
  // Remembers, lets the change happen, and waits for the result. `patience` is waited for only
  // where the result is that nothing came.
  WaitResult wait(std::chrono::milliseconds patience, const std::function<void()>& happens) {
    const Problems before = bridge.problems();
    WaitResult result;
    happens();
    bridge.wait_for_diagnostics({kUri}, before, patience, [&](const WaitResult& waited) {
      result = waited;
      loop.stop(0);
    });
    loop.run();
    return result;
  }
  // A world is for one run of the loop; what was learned goes on.
  EventLoop loop;
  Documents documents;
  DiagnosticsBridge bridge{loop, documents};
  DiagnosticsBridge::Answer asked;
  std::function<void()> on_asked;
};

constexpr auto kLong = 20000ms, kShort = 30ms;

TEST_CASE("problems that are published for the new version are fresh") {
  World world;
  const WaitResult result = world.wait(kLong, [&] {
    world.change(2);
    world.publish(2, {"bad"});
  });
  CHECK(result.freshness == Freshness::fresh);
  CHECK(world.bridge.problems()["a.c"].list.size() == 1);
  CHECK(world.bridge.is_up_to_date("a.c"));
}

TEST_CASE("silence is not clean") {
  World world;
  world.publish(1, {"bad"});
  const WaitResult result = world.wait(kShort, [&] { world.change(2); });
  CHECK(result.freshness == Freshness::unknown);
  CHECK(result.why == "no language server reported diagnostics for the new text within 0.03 s");
  CHECK(!world.bridge.is_up_to_date("a.c"));
}

TEST_CASE("problems of the old version that come late are not of the new one") {
  World world;
  const WaitResult result = world.wait(kShort, [&] {
    world.change(2);
    world.publish(1, {});
  });
  CHECK(result.freshness == Freshness::unknown);
}

TEST_CASE("problems without a version count if they came after the change") {
  World world;
  world.publish(std::nullopt, {});
  CHECK(world.wait(kShort, [&] { world.change(2); }).freshness == Freshness::unknown);
  World other;
  other.publish(std::nullopt, {});
  const WaitResult result = other.wait(kLong, [&] {
    other.change(2);
    other.publish(std::nullopt, {});
  });
  CHECK(result.freshness == Freshness::fresh);
}

TEST_CASE("what is published in pieces counts when it is quiet") {
  World world;
  world.loop.post_after(100ms, [&] { world.publish(2, {"bad"}); });
  const WaitResult result = world.wait(kLong, [&] {
    world.change(2);
    world.publish(2, {});
  });
  CHECK(result.freshness == Freshness::fresh);
  CHECK(world.bridge.problems()["a.c"].list.size() == 1);
}

TEST_CASE("a language server that ended took its problems along: that is not clean") {
  World world;
  world.publish(1, {"bad"}, {{"cc"}});
  const WaitResult result = world.wait(kLong, [&] {
    world.change(2);
    world.publish(2, {}, std::vector<std::string>{});
  });
  CHECK(result.freshness == Freshness::unknown);
  CHECK(result.why == "cc has exited");
}

TEST_CASE("a file that nobody looks at, or that is not open, is not clean") {
  World world;
  world.publish(1, {}, std::vector<std::string>{});
  WaitResult result = world.wait(kLong, [&] { world.change(2); });
  CHECK(result.why == "no language server handles a.c");
  World other;
  result = other.wait(kLong, [&] { other.documents.close(kUri); });
  CHECK(result.freshness == Freshness::unknown);
  CHECK(result.why == "a.c is not open in the editor");
}

TEST_CASE("problems that were pulled after the change are fresh, with no publish at all") {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.answer(2, "pulled"); };
  world.publish(1, {"bad"});
  const WaitResult result = world.wait(kLong, [&] { world.change(2); });
  CHECK(result.freshness == Freshness::fresh);
  CHECK(world.bridge.problems()["a.c"].list.empty());
}

TEST_CASE("a language server that does not answer has not looked") {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.answer(2, "failed"); };
  const WaitResult result = world.wait(kLong, [&] {
    world.change(2);
    world.publish(2, {});
  });
  CHECK(result.freshness == Freshness::unknown);
  CHECK(result.why == "cc does not answer");
}

// Lets the server answer before or after it publishes, once, and then stay silent after a change.
Freshness after_learning(bool punctual) {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.loop.post([&] { world.answer(2, "answered"); }); };
  const Problems before = world.bridge.problems();
  world.change(2);
  if (punctual) world.publish(2, {"bad"});
  WaitResult first, second;
  world.bridge.wait_for_diagnostics({kUri}, before, kLong, [&](const WaitResult& waited) {
    first = waited;
    world.on_asked = [&] { world.loop.post([&] { world.answer(3, "answered"); }); };
    const Problems later = world.bridge.problems();
    world.change(3);
    world.bridge.wait_for_diagnostics({kUri}, later, punctual ? kLong : kShort,
                                      [&](const WaitResult& again) {
                                        second = again;
                                        world.loop.stop(0);
                                      });
  });
  if (!punctual) world.loop.post_after(100ms, [&] { world.publish(2, {"bad"}); });
  world.loop.run();
  CHECK(first.freshness == Freshness::fresh);
  return second.freshness;
}

TEST_CASE("a server that publishes before it answers, and now only answers, has nothing to say") {
  CHECK(after_learning(true) == Freshness::unchanged);
}

TEST_CASE("a server that was seen to publish after its answer may still be at work") {
  CHECK(after_learning(false) == Freshness::unknown);
}

TEST_CASE("nothing is concluded from the answer of a server that was never seen to publish") {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.answer(2, "answered"); };
  CHECK(world.wait(kShort, [&] { world.change(2); }).freshness == Freshness::unknown);
}

TEST_CASE("who was asked for a text that changed meanwhile is asked again") {
  World world;
  world.can_pull();
  int asked = 0;
  world.on_asked = [&] {
    if (++asked == 2) return world.answer(3, "pulled");
    world.loop.post([&] {
      world.change(3);
      world.answer(2, "pulled");
    });
  };
  CHECK(world.wait(kLong, [&] { world.change(2); }).freshness == Freshness::fresh);
  CHECK(asked == 2);
}

TEST_CASE("one of two language servers is not both") {
  World world;
  const std::vector<std::string> both{"cc", "lint"};
  world.publish(1, {}, both, std::vector<std::string>{"cc", "lint"});
  const WaitResult result = world.wait(kShort, [&] {
    world.change(2);
    world.publish(2, {}, both, std::vector<std::string>{"cc"});
  });
  CHECK(result.freshness == Freshness::unknown);
  CHECK(result.why == "lint did not report diagnostics for the new text within 0.03 s");
  World other;
  const WaitResult whole = other.wait(kLong, [&] {
    other.change(2);
    other.publish(2, {}, both, std::vector<std::string>{"cc"});
    other.publish(2, {}, both, both);
  });
  CHECK(whole.freshness == Freshness::fresh);
}

TEST_CASE("of two servers that answered, a publish by nobody knows whom is not both") {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.answer(2, {{"cc", "answered"}, {"lint", "answered"}}); };
  const WaitResult result = world.wait(kShort, [&] {
    world.change(2);
    world.publish(2, {});
  });
  CHECK(result.freshness == Freshness::unknown);
}

TEST_CASE("a server that was pulled and one that has published are both fresh") {
  World world;
  world.can_pull();
  world.on_asked = [&] { world.answer(2, {{"cc", "answered"}, {"lint", "pulled"}}); };
  const WaitResult result = world.wait(kLong, [&] {
    world.change(2);
    world.publish(2, {"bad"});
  });
  CHECK(result.freshness == Freshness::fresh);
  CHECK(world.bridge.problems()["a.c"].list.size() == 1);
}

TEST_CASE("the diagnostics of a text that comes after them get their places in that text") {
  World world;
  world.publish(2, {"bad"});  // line 1 of version 2, where version 1 has another line
  world.change(2);
  const auto problems = world.bridge.problems();
  CHECK(problems.at("a.c").list[0].begin_byte == 3);
  CHECK(problems.at("a.c").text->str() == "//\nint a;\nint b;\n");
}

TEST_CASE("bodkin's own diagnostics are not the editor's") {
  World world;
  DiagnosticsParams params;
  params.uri = kUri;
  params.diagnostics = {{{"range", Range{{0, 0}, {0, 1}}}, {"message", "m"}, {"source", "bodkin"}}};
  world.bridge.receive(params);
  CHECK(world.bridge.problems()["a.c"].list.empty());
  CHECK(world.bridge.raw(kUri).empty());
}

}  // namespace
}  // namespace bodkin::lsp
