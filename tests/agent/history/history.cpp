#include "agent/history/history.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <stdexcept>

#include "agent/history/ask_record.h"
#include "agent/history/hidden.h"
#include "agent/history/message_json.h"
#include "agent/loop/scripted.h"
#include "agent/platform/files.h"
#include "agent/platform/processes.h"
#include "agent/support/temporary_folder.h"
#include "agent/workspace/planted.h"

using namespace bodkin;
namespace fs = std::filesystem;

namespace {

struct Place {
  TemporaryFolder folder = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  std::string path = folder.path() + "/state/history.db";

  HistoryStore open() {
    fs::create_directories(fs::path(path).parent_path());
    auto store = HistoryStore::open(path, Database::Access::create);
    REQUIRE_MESSAGE(store.has_value(), store.error().message);
    return *std::move(store);
  }
  void put(const std::string& bytes) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << bytes;
  }
};

// What the history says to the user.
struct Told {
  std::mutex mutex;
  std::vector<std::string> sentences;
  std::function<void(const std::string&)> listener() {
    return [this](const std::string& sentence) {
      const std::lock_guard lock(mutex);
      sentences.push_back(sentence);
    };
  }
};

AskStart start_of(const std::string& id, const std::string& session, int64_t time = 1000) {
  return {id, session, "/work", "A title", "A prompt", "a model", time};
}

Message user(std::string text) { return {Message::Role::user, {TextBlock{std::move(text)}}}; }
Message model(std::string text) { return {Message::Role::assistant, {TextBlock{std::move(text)}}}; }

std::string all_bytes(const std::string& path) {
  std::string bytes;
  for (const char* end : {"", "-wal", "-shm"}) {
    std::ifstream file(path + end, std::ios::binary);
    bytes.append(std::istreambuf_iterator<char>(file), {});
  }
  return bytes;
}

}  // namespace

TEST_CASE("secrets are left out, and offsets stay as they are") {
  const std::string secret = "ghp_" + all(36);
  const std::string text = "a = \"" + secret + "\"\nb = 1\n";
  const std::string kept = without_secret_bytes(text);
  CHECK(kept.find(secret) == kept.npos);
  CHECK(kept.size() == text.size());
  CHECK(kept.ends_with("\"\nb = 1\n"));
  CHECK(without_secret_bytes(kept) == kept);
  const nlohmann::json hidden = without_secret_bytes(nlohmann::json{{"text", text}, {"line", 7}});
  CHECK(hidden.dump().find(secret) == std::string::npos);
  CHECK(hidden["line"] == 7);
}

TEST_CASE("blocks are the same after they were kept") {
  const Block blocks[] = {TextBlock{"words", {{"signature", "x"}}},
                          ThinkingBlock{"thoughts", nullptr},
                          ToolCall{"1", "read_file", {{"path", "a.c"}}, {{"s", 1}}, ""},
                          ToolCall{"2", "edit", nlohmann::json::object(), nullptr, "{\"path\": "},
                          ToolResult{"1", "read_file", "int x;", true},
                          ImageBlock{"image/png", "AAAA"}};
  for (const Block& block : blocks) {
    const MessagePart part = part_of(block);
    const auto again = block_of(part);
    REQUIRE(again);
    CHECK(again->index() == block.index());
    CHECK(part_of(*again).data == part.data);
    CHECK(part_of(*again).text == part.text);
    CHECK(part_of(*again).content == part.content);
  }
  CHECK(!block_of({"hologram", "", "", nullptr}));
  CHECK(!block_of({"call", "", "not JSON", nullptr}));
}

TEST_CASE("a session is loaded as it was left") {
  Place place;
  {
    HistoryStore store = place.open();
    store.begin_ask(start_of("ask-1", "session-1"));
    store.put_message("session-1", "ask-1", 0, user("Wider."), "", 1);
    store.put_message("session-1", "ask-1", 1, model("first"), "end_turn", 2);
    store.put_message("session-1", "ask-1", 1, model("second"), "end_turn", 3);  // in its place
    store.put_message("session-1", "ask-1", 2, user("dropped"), "", 4);
    store.keep_messages("session-1", 2);
    Conversation conversation;
    conversation.profile = "tools";
    conversation.system = "You edit.";
    conversation.seen = {{"a.c", 0xfedcba9876543210u}};
    conversation.guidance = {"AGENTS.md"};
    conversation.roots = Roots{{"work", "/work"}};
    conversation.spent.turns = 3;
    conversation.spent.cost_usd = 0.5;
    store.set_state("session-1", state_of(conversation), 5);
    store.flush();
    REQUIRE(!store.database().failure());
  }
  HistoryStore store = place.open();
  const auto loaded = store.load_session("session-1");
  REQUIRE(loaded);
  const Conversation& conversation = loaded->conversation;
  REQUIRE(conversation.messages.size() == 2);
  CHECK(words(conversation.messages[1]) == "second");
  CHECK(conversation.profile == "tools");
  CHECK(conversation.system == "You edit.");
  CHECK(conversation.seen.at("a.c") == 0xfedcba9876543210u);
  CHECK(conversation.guidance.contains("AGENTS.md"));
  CHECK(conversation.roots == Roots{{"work", "/work"}});
  CHECK(conversation.spent.turns == 3);
  CHECK(conversation.spent.cost_usd == 0.5);
  CHECK(loaded->asks == std::vector<std::string>{"ask-1"});
  CHECK(store.load_session("session-2").error().code == Error::Code::not_found);
  // For the user everything is there.
  const auto shown = store.show_session("session-1");
  REQUIRE(shown);
  CHECK(shown->asks[0].messages.size() == 4);
}

TEST_CASE("of a killed server, each call has a result and what was cut off is marked") {
  Place place;
  HistoryStore store = place.open();
  store.begin_ask(start_of("ask-1", "session-1"));
  store.put_message("session-1", "ask-1", 0, user("Do it."), "", 1);
  SUBCASE("in the middle of a reply") {
    store.begin_reply("session-1", "ask-1", 1, 2);
    store.add_to_reply("session-1", true, "Hm.");
    store.add_to_reply("session-1", false, "I will ");
    store.add_to_reply("session-1", false, "do it");  // its last word may go on
    store.flush();
    const auto loaded = store.load_session("session-1");
    REQUIRE(loaded->conversation.messages.size() == 2);
    CHECK(
        words(loaded->conversation.messages[1]).starts_with("I will do \n[This reply was cut off"));
    CHECK(!store.show_session("session-1")->asks[0].messages[1].is_complete);
  }
  SUBCASE("before the reply's first word") {
    store.begin_reply("session-1", "ask-1", 1, 2);
    CHECK(store.load_session("session-1")->conversation.messages.size() == 1);
  }
  SUBCASE("between two calls") {
    Message both{Message::Role::assistant,
                 {ToolCall{"1", "read_file", {{"path", "a"}}}, ToolCall{"2", "edit"}}};
    store.put_message("session-1", "ask-1", 1, both, "tool_use", 2);
    store.add_call({"ask-1", "1", "read_file", "", "{}", "int x;", false, 3, 1});
    const auto loaded = store.load_session("session-1");
    REQUIRE(loaded->conversation.messages.size() == 3);
    const auto& results = loaded->conversation.messages[2].blocks;
    REQUIRE(results.size() == 2);
    CHECK(std::get<ToolResult>(results[0]).content == "int x;");
    CHECK(std::get<ToolResult>(results[1]).content.starts_with("Not run"));
    CHECK(std::get<ToolResult>(results[1]).is_error);
  }
  SUBCASE("a reply that broke off is not part of the conversation") {
    store.begin_reply("session-1", "ask-1", 1, 2);
    store.add_to_reply("session-1", false, "half");
    store.break_reply("session-1", "truncated");
    store.begin_reply("session-1", "ask-1", 1, 3);
    store.put_message("session-1", "ask-1", 1, model("whole"), "end_turn", 4);
    const auto loaded = store.load_session("session-1");
    REQUIRE(loaded->conversation.messages.size() == 2);
    CHECK(words(loaded->conversation.messages[1]) == "whole");
    CHECK(store.show_session("session-1")->asks[0].messages.size() == 3);
  }
}

TEST_CASE("no secret gets into the file, not even in pieces") {
  Place place;
  const std::string secret = "ghp_" + all(36);
  const std::string line = "token = \"" + secret + "\"\n";
  {
    HistoryStore store = place.open();
    AskStart start = start_of("ask-1", "session-1");
    start.prompt = start.title = "Use " + secret;
    store.begin_ask(start);
    store.put_message("session-1", "ask-1", 0,
                      {Message::Role::user, {TextBlock{line}, ToolResult{"1", "x", line, false}}},
                      "", 1);
    store.put_message("session-1", "ask-1", 1,
                      {Message::Role::assistant,
                       {TextBlock{line, {{"copy", secret}}}, ToolCall{"2", "edit", {{"t", line}}}}},
                      "tool_use", 1);
    store.add_call({"ask-1", "2", "edit", line, line, line, false, 3, 1});
    store.update_ask({"ask-1", {}, 5, "done", line, line});
    store.put_proposal({"p1",
                        "session-1",
                        "ask-1",
                        "/work",
                        "Use " + secret,
                        "ready",
                        1,
                        {},
                        "{}",
                        {{.path = "a.py", .before = Text(line), .after = Text(line + line)}}});
    store.begin_reply("session-1", "ask-1", 2, 6);
    store.add_to_reply("session-1", false, line.substr(0, 30));
    store.flush();
    store.add_to_reply("session-1", false, line.substr(30));
    store.flush();
    REQUIRE(!store.database().failure());
  }
  // The texts are deflated: what is read is what counts.
  HistoryStore store = place.open();
  const auto shown = store.show_session("session-1");
  REQUIRE(shown);
  std::string everything = all_bytes(place.path);
  for (const ShownMessage& message : shown->asks[0].messages)
    for (const Block& block : message.blocks) {
      const MessagePart part = part_of(block);
      everything += part.text + part.content + part.data.dump();
    }
  const CallRow& call = shown->asks[0].calls.at(0);
  everything += call.reason + call.parameters + call.result;
  everything += shown->asks[0].proposals.at(0).files.at(0).after->str();
  CHECK(everything.find(secret) == everything.npos);
  CHECK(everything.find("***") != everything.npos);
}

TEST_CASE("programs that start at once all have the new history") {
  for (int round = 0; round < 40; ++round) {
    const Place place;
    fs::create_directories(fs::path(place.path).parent_path());
    std::promise<void> go;
    const std::shared_future<void> begun = go.get_future().share();
    std::vector<std::future<std::string>> starts;
    for (int i = 0; i < 3; ++i)
      starts.push_back(std::async(std::launch::async, [&] {
        begun.wait();
        for (;;) {  // as History does
          const auto store = HistoryStore::open(place.path, Database::Access::create);
          if (store || !store.error().is_busy) return store ? "" : store.error().message;
        }
      }));
    go.set_value();
    for (auto& start : starts) CHECK(start.get() == "");
  }
}

TEST_CASE("a database that cannot be used is named once, and nothing waits for it") {
  Place place;
  std::string why;
  SUBCASE("garbage") {
    place.put(std::string(5000, 'x'));
    why = "not a database";
  }
  SUBCASE("cut short") {
    { HistoryStore store = place.open(); }
    fs::resize_file(place.path, 5000);
    why = "malformed";
  }
  SUBCASE("a newer schema") {
    HistoryStore store = place.open();
    store.database().execute("PRAGMA user_version = 99");
    why = "it was created by a newer version of bodkin";
  }
  SUBCASE("another program's") {
    fs::create_directories(fs::path(place.path).parent_path());
    auto other = Database::open(place.path, Database::Access::create);
    other->execute("CREATE TABLE t(x)");
    why = "not a bodkin history database";
  }
  SUBCASE("a folder") {
    fs::create_directories(place.path);
    why = "Is a directory";
  }
  SUBCASE("a folder that cannot be made") {
    std::ofstream(place.folder.path() + "/state") << "a file";
    why = "its folder cannot be created";
  }
  SUBCASE("a link") {
    fs::create_directories(fs::path(place.path).parent_path());
    std::error_code no_links;  // not everybody may make them on Windows
    fs::create_symlink("/dev/null", place.path, no_links);
    if (no_links) return;
    why = "it is a link";
  }
  Told told;
  std::string unavailable;
  {
    History history(place.path, told.listener());
    for (int i = 0; i < 3; ++i) {
      history.write(10, [](HistoryStore& store) { store.begin_ask(start_of("a", "s")); });
      history.wait_until_written();
    }
    std::promise<std::string> answered;
    history.read([&](HistoryStore&) { answered.set_value("read"); },
                 [&](const Error& error) { answered.set_value(error.message); });
    unavailable = answered.get_future().get();
  }
  REQUIRE(told.sentences.size() == 1);
  CHECK_MESSAGE(told.sentences[0].find(why) != std::string::npos, told.sentences[0]);
  CHECK(unavailable + " Asks still work." == told.sentences[0]);
}

TEST_CASE("a locked database is written when it is free again") {
  Place place;
  HistoryStore other = place.open();
  other.database().execute("BEGIN IMMEDIATE");
  Told told;
  {
    History history(place.path, told.listener());
    history.write(10,
                  [](HistoryStore& store) { store.begin_ask(start_of("a", "s", history_time())); });
    other.database().execute("COMMIT");
    history.wait_until_written();
    CHECK(other.sessions(nullptr, 10).size() == 1);
    other.database().execute("BEGIN IMMEDIATE");
    history.write(10,
                  [](HistoryStore& store) { store.begin_ask(start_of("b", "t", history_time())); });
  }  // it ends, all the same
  other.database().execute("COMMIT");
  CHECK(other.sessions(nullptr, 10).size() == 1);
}

TEST_CASE("the history has limits") {
  Place place;
  SUBCASE("days") {
    HistoryStore store = place.open();
    store.begin_ask(start_of("a", "old", 1000));
    store.begin_ask(start_of("b", "new", 3000));
    store.put_message("old", "a", 0, {Message::Role::user, {ToolResult{"1", "x", "long"}}}, "", 1);
    store.forget_older(2000);
    const auto left = store.sessions(nullptr, 10);
    REQUIRE(left.size() == 1);
    CHECK(left[0].id == "new");
    Statement texts(store.database(), "SELECT count(*) FROM texts");
    REQUIRE(texts.step());
    CHECK(texts.number(0) == 0);
  }
  SUBCASE("bytes") {
    HistoryStore store = place.open();
    for (int i = 0; i < 30; ++i) {
      const std::string id = fmt::format("{:02}", i);
      store.begin_ask(start_of("ask" + id, "session" + id, 1000 + i));
      const std::string text = random_text(50'000, kAll, static_cast<unsigned>(i));
      store.put_message("session" + id, "ask" + id, 0,
                        {Message::Role::user, {ToolResult{"1", "x", text}}}, "", 1);
    }
    const int64_t half = store.bytes() / 2;
    const auto is_held = [](const std::string& session) { return session == "session03"; };
    store.shrink(half, is_held);
    CHECK(store.bytes() <= half);
    const auto left = store.sessions(nullptr, 100);
    CHECK(left.size() > 5);
    CHECK(left.back().id == "session03");      // an ask runs in it
    CHECK(left[left.size() - 2].used > 1010);  // of the others the oldest went first
    store.shrink(1000, is_held);
    CHECK(store.sessions(nullptr, 100).size() == 1);
  }
  SUBCASE("zero days") {
    Told told;
    History history(place.path, told.listener());
    history.set_limits({.days = 0});
    history.write(10, [](HistoryStore& store) { store.begin_ask(start_of("a", "s")); });
    history.wait_until_written();
    CHECK(!fs::exists(place.path));
    CHECK(told.sentences.empty());
    history.set_limits({});
    history.write(10, [](HistoryStore& store) { store.begin_ask(start_of("a", "s")); });
    history.wait_until_written();
    CHECK(fs::exists(place.path));
  }
}

TEST_CASE("changes without a session have limits, too") {
  Place place;
  HistoryStore store = place.open();
  const auto put = [&](const std::string& id, int64_t created, size_t bytes = 10) {
    ProposalRow row{.id = id, .workspace = "/work", .title = "bodkin apply", .state = "applied"};
    row.created = created;
    row.applied = created;
    row.data = "{}";
    ChangedFile& file = row.files.emplace_back();
    file.path = "a.c";
    file.after = Text(random_text(bytes, kAll, static_cast<unsigned>(created)));
    store.put_proposal(row);
  };
  const auto ids = [&] {
    std::vector<std::string> found;
    for (const ProposalRow& row : store.proposals_without_ask()) found.push_back(row.id);
    return found;
  };
  SUBCASE("of a number") {
    put("p1-other", 1);
    for (int i = 0; i < 12; ++i) put(fmt::format("p0-{:02}", i), 10 + i);
    store.keep_newest("/work", "p0-", 3);  // nothing yet: few are left over
    CHECK(ids().size() == 13);
    put("p0-12", 30);
    store.keep_newest("/elsewhere", "p0-", 3);
    CHECK(ids().size() == 14);
    store.keep_newest("/work", "p0-", 3);
    CHECK(ids() == std::vector<std::string>{"p0-12", "p0-11", "p0-10", "p1-other"});
  }
  SUBCASE("of one that is forgotten nothing is left") {
    put("p0-a", 1000);
    put("p0-b", 2000);
    store.forget("p0-a");
    CHECK(ids() == std::vector<std::string>{"p0-b"});
    Statement texts(store.database(), "SELECT count(*) FROM texts");
    REQUIRE(texts.step());
    CHECK(texts.number(0) == 1);
  }
  SUBCASE("of days") {
    put("p0-a", 1000);
    put("p0-b", 3000);
    store.forget_older(2000);
    CHECK(ids() == std::vector<std::string>{"p0-b"});
  }
  SUBCASE("of bytes") {
    store.begin_ask(start_of("a", "s", 5000));
    for (int i = 0; i < 30; ++i) put(fmt::format("p0-{:02}", i), 10 + i, 50'000);
    const int64_t half = store.bytes() / 2;
    store.shrink(half, [](const std::string&) { return false; });
    CHECK(store.bytes() <= half);
    CHECK(ids().size() > 5);
    CHECK(ids().front() == "p0-29");
    CHECK(store.sessions(nullptr, 10).size() == 1);  // which was used last
  }
}

TEST_CASE("what commit() writes waits for another program, and fails if that goes on") {
  Place place;
  HistoryStore other = place.open(), store = place.open();
  const auto write = [&] { return store.commit([&] { store.set_title("s", "A title"); }); };
  CHECK_FALSE(write());
  other.database().execute("BEGIN IMMEDIATE");
  const auto failure = write();
  REQUIRE(failure);
  CHECK(failure->is_busy);
  other.database().execute("COMMIT");
  CHECK_FALSE(write());  // it has forgotten the failure
}

TEST_CASE("only the user can read it") {
  Place place;
  place.put("");
  fs::permissions(place.path, fs::perms(0644));
  HistoryStore store = place.open();
  store.begin_ask(start_of("a", "s"));
  for (const char* end : {"", "-wal", "-shm"}) {
    // In Wine no file is private because its folder is.
    if (*end && os::system_name().version == "wine") continue;
    os::FileStatus status{};
    REQUIRE(os::stat((place.path + end).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
  }
}

TEST_CASE("sessions are listed by workspace, the last one first") {
  Place place;
  HistoryStore store = place.open();
  for (int i = 0; i < 3; ++i) {
    AskStart start = start_of(fmt::format("ask{}", i), fmt::format("s{}", i), 1000 + i);
    start.workspace = i == 1 ? "/a\n/b" : i == 2 ? "" : "/b";
    store.begin_ask(start);
  }
  const auto ids = [&](const std::string& workspace) {
    std::string all;
    for (const SessionRow& row : store.sessions(&workspace, 10)) all += row.id;
    return all;
  };
  CHECK(ids("/b") == "s1s0");
  CHECK(ids("/a\n/c") == "s1");
  CHECK(ids("") == "s2");
  CHECK(ids("/c") == "");
  store.begin_reply("s2", "ask2", 0, 2);
  CHECK(!store.sessions(nullptr, 10)[0].is_answered);
  store.put_message("s2", "ask2", 0, model("Yes."), "end_turn", 2);
  CHECK(store.sessions(nullptr, 10)[0].is_answered);
  store.set_title("s0", "About b");
  const std::string workspace = "/b";
  CHECK(store.sessions(&workspace, 10)[1].title == "About b");
}

TEST_CASE("an ask is recorded as it runs") {
  Place place;
  Told told;
  Conversation conversation;
  MemoryWorkspace workspace{{{"a.c", "int b;\n"}}};
  ScriptedModel scripted(true, {calls({{"read_file", {{"path", "a.c"}}}}), says("It is an int.")});
  {
    History history(place.path, told.listener());
    AskRecord record(&history, start_of("ask-1", "session-1"), conversation, scripted);
    Ask ask;
    ask.prompt = "What is b?";
    ask.profile = "tools";
    AskContext context{record, workspace};
    context.task.report = [&](const Progress& progress) { record.report(progress); };
    const Outcome outcome = run(conversation, ask, context);
    CHECK(outcome.answer == "It is an int.");
    record.end(outcome);
  }
  HistoryStore store = place.open();
  const auto loaded = store.load_session("session-1");
  REQUIRE(loaded);
  const Conversation& kept = loaded->conversation;
  REQUIRE(kept.messages.size() == conversation.messages.size());
  for (size_t i = 0; i < kept.messages.size(); ++i) {
    CHECK(words(kept.messages[i]) == words(conversation.messages[i]));
    CHECK(kept.messages[i].role == conversation.messages[i].role);
  }
  CHECK(kept.seen == conversation.seen);
  CHECK(kept.system == conversation.system);
  CHECK(kept.spent.turns == 2);
  const auto shown = store.show_session("session-1");
  REQUIRE(shown->asks.size() == 1);
  REQUIRE(shown->asks[0].calls.size() == 1);
  CHECK(shown->asks[0].calls[0].tool == "read_file");
  CHECK(shown->asks[0].calls[0].result.find("int b;") != std::string::npos);
  CHECK(shown->asks[0].sum.outcome == "done");
  CHECK(shown->asks[0].sum.spent.usage.input == 200);
  CHECK(told.sentences.empty());
}

TEST_CASE("what a reply has cost, and what was read, is kept before the next request") {
  Place place;
  Told told;
  Conversation conversation;
  MemoryWorkspace workspace{{{"a.c", "int b;\n"}}};
  ScriptedModel scripted(true, {calls({{"read_file", {{"path", "a.c"}}}}), says("It is an int.")});
  History history(place.path, told.listener());
  AskRecord record(&history, start_of("ask-1", "session-1"), conversation, scripted);
  Ask ask;
  ask.prompt = "What is b?";
  ask.profile = "tools";
  AskContext context{record, workspace};
  context.limits.max_turns = 1;
  bool was_asked = false;
  context.task.report = [&](const Progress& progress) {
    record.report(progress);
    if (progress.kind != Progress::Kind::step) return;
    was_asked = true;  // from here on the call's end may be hours away
    history.wait_until_written();
    HistoryStore store = place.open();
    const auto shown = store.show_session("session-1");
    REQUIRE(shown);
    CHECK(shown->asks.at(0).sum.spent.turns == 1);
    CHECK(shown->asks.at(0).sum.spent.usage.input == 100);
    CHECK(store.load_session("session-1")->conversation.seen.contains("a.c"));
  };
  CHECK(run(conversation, ask, context).end == Outcome::End::limit);
  CHECK(was_asked);
}

TEST_CASE("a session that was removed meanwhile is kept as a whole when it is gone on with") {
  Place place;
  Told told;
  Conversation conversation;
  conversation.messages = {user("One?"), model("First.")};
  ScriptedModel scripted(true, {});
  {
    History history(place.path, told.listener());
    AskRecord record(&history, start_of("ask-2", "session-1"), conversation, scripted);
  }
  const auto loaded = place.open().load_session("session-1");
  REQUIRE(loaded);
  CHECK(loaded->conversation.messages.size() == 2);
}

TEST_CASE("one process may ask for ever: its oldest sessions make room for its new ones") {
  Place place;
  Told told;
  constexpr int64_t kLimit = 1'000'000;
  {
    History history(place.path, told.listener());
    history.set_limits({.bytes = kLimit});
    for (int i = 0; i < 60; ++i) {
      const std::string id = fmt::format("{:02}", i);
      const std::string text = random_text(100'000, kAll, static_cast<unsigned>(i));
      history.write(text.size(), [id, text, i](HistoryStore& store) {
        store.begin_ask(start_of("ask" + id, "session" + id, history_time() + i));
        store.put_message("session" + id, "ask" + id, 0,
                          {Message::Role::user, {ToolResult{"1", "x", text}}}, "", 1);
      });
      history.wait_until_written();
    }
    CHECK(history.is_kept());
  }
  HistoryStore store = place.open();
  CHECK(store.bytes() < kLimit * 3 / 2);
  const auto left = store.sessions(nullptr, 100);
  CHECK(left.size() > 2);
  CHECK(left[0].id == "session59");
  CHECK(told.sentences.empty());
}

TEST_CASE("messages that a summary replaced are shown once, and are no longer loaded") {
  Place place;
  Told told;
  Conversation conversation;
  std::vector<Message>& messages = conversation.messages;
  messages = {user("One?")};
  ScriptedModel scripted(true, {says("First."), says("Second."), says("Third.")});
  {
    History history(place.path, told.listener());
    AskRecord record(&history, start_of("ask-1", "session-1"), conversation, scripted);
    ModelRequest request;
    const auto answer = [&] {
      request.messages = messages;
      messages.push_back(record.respond(request, {})->message);
    };
    answer();
    messages.push_back(user("Two?"));
    answer();
    messages.push_back(user("Three?"));
    messages.erase(messages.begin(), messages.begin() + 2);
    messages[0] = user("Summary: one. Two?");
    answer();
    record.end({});
  }
  HistoryStore store = place.open();
  const auto loaded = store.load_session("session-1");
  REQUIRE(loaded);
  std::string kept, all;
  for (const Message& message : loaded->conversation.messages) kept += words(message) + "|";
  CHECK(kept == "Summary: one. Two?|Second.|Three?|Third.|");
  const auto shown = store.show_session("session-1");
  REQUIRE(shown);
  for (const ShownMessage& message : shown->asks[0].messages) {
    if (message.role != "assistant") continue;
    CHECK(!message.is_replaced);
    all += std::get<TextBlock>(message.blocks.at(0)).text + "|";
  }
  CHECK(all == "First.|Second.|Third.|");
}

TEST_CASE("a session that was deleted while its ask runs takes nothing else with it") {
  Place place;
  HistoryStore store = place.open();
  store.begin_ask(start_of("ask-1", "session-1"));
  store.begin_ask(start_of("ask-2", "session-2"));
  store.forget("session-1");
  store.begin_reply("session-1", "ask-1", 0, 1);
  store.add_to_reply("session-1", false, "words");
  store.put_message("session-1", "ask-1", 0, model("words"), "end_turn", 2);
  store.add_call({"ask-1", "call-1", "read_file", "", "{}", "text"});
  store.put_message("session-2", "ask-2", 0, user("Mine."), "", 3);
  store.flush();
  CHECK(!store.database().failure());
  CHECK(store.load_session("session-2")->conversation.messages.size() == 1);
}

TEST_CASE("a title may come before its session's first ask has begun") {
  Place place;
  HistoryStore store = place.open();
  store.set_title("session-1", "Wider integers");
  CHECK(store.sessions(nullptr, 10).empty());
  store.begin_ask(start_of("ask-1", "session-1"));
  const auto rows = store.sessions(nullptr, 10);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].title == "Wider integers");
  CHECK(rows[0].workspace == start_of("ask-1", "session-1").workspace);
}

TEST_CASE("a read that fails is answered") {
  Place place;
  Told told;
  History history(place.path, told.listener());
  std::promise<std::string> answer;
  history.read([](HistoryStore&) { throw std::runtime_error("too much"); },
               [&](const Error& error) { answer.set_value(error.message); });
  CHECK(answer.get_future().get().find("too much") != std::string::npos);
}

TEST_CASE("the proposal that was applied last is found") {
  Place place;
  HistoryStore store = place.open();
  const auto put = [&](const char* id, const char* state, std::optional<int64_t> applied) {
    ProposalRow row{id, "s", "a", "/work", "A title", state, 1, applied, "{}", {}};
    store.put_proposal(row);
  };
  put("p1", "applied", 10);
  put("p2", "applied", 20);
  put("p1", "applied", 30);  // it was applied at 10
  put("p3", "ready", {});
  CHECK(store.load_proposal("", "/work")->id == "p2");
  CHECK(store.load_proposal("", "/other").error().code == Error::Code::not_found);
  put("p2", "discarded", {});
  CHECK(store.load_proposal("", "/work")->id == "p1");
  const auto open = store.open_proposals("/work", 10);
  REQUIRE(open.size() == 1);
  CHECK(open[0].id == "p3");
}

TEST_CASE("ids differ from those of other runs, and are in order") {
  CHECK(run_id().size() == 10);
  CHECK(run_id() == run_id());
}
