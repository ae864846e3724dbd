#include "lsp/sessions/asks.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace bodkin;
using rpc::EventLoop;

namespace {

class OneFile : public Workspace {
 public:
  Result<Snapshot> read(std::string_view path, const Task& task) override {
    if (on_read) on_read(task);
    if (path != "a.py") return fail(Error::Code::not_found, "no such file");
    return Snapshot{"a.py", 1, Text("x = 1\n")};
  }
  Result<std::vector<std::string>> list(std::string_view, size_t, const Task&) override {
    return std::vector<std::string>{"a.py"};
  }
  Roots roots(const Task&) override { return {}; }
  std::vector<std::string> open_paths(const Task&) override { return {}; }
  std::function<void(const Task&)> on_read;
};

// A loop with asks that a replayed model answers. `quick` answers at once, else it waits longer
// than any test: only a stop request ends it.
struct World : AskDoor {
  explicit World(bool quick) {
    file = (std::filesystem::temp_directory_path() /
            ("bodkin-asks-" + std::to_string(getpid()) + ".json"))
               .string();
    const nlohmann::json turn = {
        {"reply",
         {{"text", "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"},
          {"stop_reason", "end_turn"},
          {"usage", {{"input", 7}, {"output", 3}}}}},
        {"delay_ms", quick ? 0 : 600'000}};
    std::ofstream(file) << nlohmann::json{{"name", "t"}, {"turns", {turn, turn}}};
    asks = std::make_unique<Asks>(loop, *this, AskCommons());
  }
  ~World() override {
    asks.reset();  // its threads may be reading the file, which then keeps its name on Windows
    std::filesystem::remove(file);
  }

  std::shared_ptr<Workspace> workspace() override {
    return std::shared_ptr<Workspace>(std::shared_ptr<void>(), &files);
  }
  AskSetup set_up() override { return {.model = {.provider = "replay", .name = file}}; }
  void report(const std::string& id, const Progress& progress) override {
    if (on_report) on_report(id, progress);
  }
  void ended(AskEnd end) override {
    ends.push_back(std::move(end));
    if (on_end) on_end();
  }

  static Ask ask() {
    Ask ask;
    ask.prompt = "Two, please.";
    ask.selection = Selection{"a.py", {0, 1}};
    return ask;
  }
  void run_until_ended(size_t count) {
    on_end = [this, count] {
      if (ends.size() == count) loop.stop(0);
    };
    loop.run();
  }

  std::string file;
  EventLoop loop;
  OneFile files;
  std::vector<AskEnd> ends;
  std::function<void(const std::string&, const Progress&)> on_report;
  std::function<void()> on_end;
  std::unique_ptr<Asks> asks;
};

}  // namespace

TEST_CASE("an ask ends once, on the loop, with its draft") {
  World world(true);
  const auto started = world.asks->start(World::ask(), "");
  REQUIRE(started.has_value());
  CHECK(world.asks->running() == std::vector{started->ask_id});
  world.run_until_ended(1);
  CHECK(world.ends[0].ask_id == started->ask_id);
  CHECK(world.ends[0].session_id == started->session_id);
  CHECK(world.ends[0].outcome.end == Outcome::End::done);
  REQUIRE(world.ends[0].outcome.files.size() == 1);
  CHECK(world.asks->running().empty());
  CHECK(world.asks->spent().usage.input == 7);
}

TEST_CASE("a session takes one ask at a time, unknown ones none") {
  World world(false);
  const auto first = world.asks->start(World::ask(), "");
  REQUIRE(first.has_value());
  const auto second = world.asks->start(World::ask(), first->session_id);
  REQUIRE(!second.has_value());
  CHECK(second.error().code == Error::Code::unavailable);
  CHECK(world.asks->start(World::ask(), "none").error().code == Error::Code::not_found);
  CHECK(!world.asks->repair(first->ask_id, World::ask()));
  CHECK(!world.asks->repair("none", World::ask()));
}

TEST_CASE("a repair goes on in its ask's session, under the same id") {
  World world(true);
  const auto started = world.asks->start(World::ask(), "");
  REQUIRE(started.has_value());
  bool repaired = false;
  world.on_end = [&] {
    if (world.ends.size() == 1) repaired = world.asks->repair(started->ask_id, World::ask());
    if (world.ends.size() == 2 || !repaired) world.loop.stop(0);
  };
  world.loop.run();
  REQUIRE(world.ends.size() == 2);
  CHECK(world.ends[1].ask_id == started->ask_id);
  CHECK(world.ends[1].repair);
  CHECK(world.asks->spent().usage.input == 14);
}

TEST_CASE("a cancelled ask ends as cancelled, also one that still waits in the queue") {
  World world(false);
  std::vector<std::string> ids;
  for (size_t i = 0; i < Asks::kMaxRunning + 2; ++i) {
    ids.push_back(world.asks->start(World::ask(), "")->ask_id);
  }
  CHECK(world.asks->running().size() == ids.size());
  CHECK(world.asks->cancel("ask-999") == 0);
  world.loop.post([&] { CHECK(world.asks->cancel(ids.back()) == 1); });
  world.run_until_ended(1);
  CHECK(world.ends[0].ask_id == ids.back());
  CHECK(world.ends[0].outcome.end == Outcome::End::cancelled);
}

TEST_CASE("cancelling all ends all, each once") {
  World world(false);
  for (size_t i = 0; i < Asks::kMaxRunning + 2; ++i) (void)world.asks->start(World::ask(), "");
  world.loop.post([&] { world.asks->cancel(""); });
  world.run_until_ended(Asks::kMaxRunning + 2);
  for (const AskEnd& end : world.ends) CHECK(end.outcome.end == Outcome::End::cancelled);
  CHECK(world.asks->running().empty());
  CHECK(world.asks->cancel("") == 0);
}

TEST_CASE("a model that is chosen while a session is busy answers that session's next ask") {
  World world(true);
  const auto started = world.asks->start(World::ask(), "");
  REQUIRE(started.has_value());
  std::filesystem::remove(world.file + ".other");
  world.on_report = [&](const std::string&, const Progress&) {
    world.file += ".other";  // there is none of that name: who is asked for it says so
    world.asks->forget_models();
    world.on_report = nullptr;
  };
  world.on_end = [&] {
    if (world.ends.size() == 2) return world.loop.stop(0);
    CHECK(world.asks->start(World::ask(), started->session_id).has_value());
  };
  world.loop.run();
  CHECK(world.ends[0].outcome.end == Outcome::End::done);
  CHECK(world.ends[1].outcome.end == Outcome::End::failed);
  world.file.resize(world.file.size() - 6);
}

TEST_CASE("a model that cannot be had is an ask that failed, with the reason") {
  World world(true);
  std::filesystem::remove(world.file);
  REQUIRE(world.asks->start(World::ask(), "").has_value());
  world.run_until_ended(1);
  CHECK(world.ends[0].outcome.end == Outcome::End::failed);
  CHECK(!world.ends[0].outcome.reason.empty());
}

TEST_CASE("asks that wait for the model end with the server") {
  World world(false);
  for (size_t i = 0; i < Asks::kMaxRunning; ++i) (void)world.asks->start(World::ask(), "");
  size_t asking = 0;
  world.on_report = [&](const std::string&, const Progress&) {
    if (++asking == Asks::kMaxRunning) world.loop.stop(0);
  };
  world.loop.run();
  world.asks.reset();
  CHECK(world.ends.empty());
}

TEST_CASE("asks that wait for the loop end with the server") {
  World world(true);
  std::stop_source reading;  // requested once the ask's thread is about to wait for the loop
  world.files.on_read = [&](const Task& task) {
    reading.request_stop();
    (void)world.loop.call(task.stop, [] { return 1; });
  };
  (void)world.asks->start(World::ask(), "");
  std::mutex mutex;
  std::condition_variable_any waited;
  std::unique_lock lock(mutex);
  waited.wait(lock, reading.get_token(), [] { return false; });
  world.asks.reset();  // nobody runs the loop any more
  CHECK(world.ends.empty());
}

TEST_CASE("an ask whose thread throws fails with a sentence, and the next one is answered") {
  World world(true);
  world.files.on_read = [&](const Task&) { throw std::bad_alloc(); };
  const auto started = world.asks->start(World::ask(), "");
  REQUIRE(started.has_value());
  world.on_end = [&] {
    if (world.ends.size() == 2) return world.loop.stop(0);
    world.files.on_read = nullptr;
    CHECK(world.asks->start(World::ask(), started->session_id).has_value());
  };
  world.loop.run();
  REQUIRE(world.ends.size() == 2);
  CHECK(world.ends[0].outcome.end == Outcome::End::failed);
  CHECK(world.ends[0].outcome.reason == "Internal error in bodkin: out of memory.");
  CHECK(world.ends[1].outcome.end == Outcome::End::done);
}

// Each kept its model and its connection for as long as the server ran.
TEST_CASE("sessions are forgotten, those that were not used for longest first") {
  World world(true);
  std::vector<std::string> asks, sessions;
  world.on_end = [&] {
    if (world.ends.size() == 100) return world.loop.stop(0);
    // The first is used again and again.
    const std::string again =
        world.ends.size() % 20 == 0 ? world.ends[0].session_id : std::string();
    const auto started = world.asks->start(World::ask(), again);
    REQUIRE(started.has_value());
    sessions.push_back(started->session_id);
    asks.push_back(started->ask_id);
  };
  REQUIRE(world.asks->start(World::ask(), "").has_value());
  world.loop.run();
  CHECK(world.asks->session_of(asks.back()) == sessions.back());
  CHECK(world.asks->session_of(world.ends[0].ask_id) == world.ends[0].session_id);
  CHECK(world.asks->session_of(asks[1]).empty());
  CHECK(world.asks->start(World::ask(), sessions[1]).error().code == Error::Code::not_found);
  CHECK(!world.asks->repair(asks[1], World::ask()));
  size_t kept = 0;
  for (const std::string& ask : asks) kept += !world.asks->session_of(ask).empty();
  CHECK(kept < 80);
}
