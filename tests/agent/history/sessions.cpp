// What several processes, and secrets that come in pieces, must not do to the history.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>

#include "agent/history/hidden.h"
#include "agent/history/session_hold.h"
#include "agent/support/temporary_folder.h"
#include "agent/workspace/planted.h"

using namespace bodkin;
namespace fs = std::filesystem;

namespace {

struct Place {
  TemporaryFolder folder = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  std::string path = folder.path() + "/state/history.db";

  Place() { fs::create_directories(fs::path(path).parent_path()); }
  HistoryStore open() {
    auto store = HistoryStore::open(path, Database::Access::create);
    REQUIRE_MESSAGE(store.has_value(), store.error().message);
    return *std::move(store);
  }
};

AskStart start_of(const std::string& id, const std::string& session) {
  return {id, session, "/work", "A title", "A prompt", "a model", history_time()};
}

Message user(std::string text) { return {Message::Role::user, {TextBlock{std::move(text)}}}; }

std::string text_at(HistoryStore& store, const std::string& sql) {
  Statement row(store.database(), sql);
  return row.step() ? row.text(0) : "";
}

std::string streamed(HistoryStore& store) {
  return text_at(store, "SELECT text FROM parts ORDER BY message DESC, number DESC LIMIT 1");
}

// The first so many bytes of the secret in a row that stand in a text.
std::string piece_of(const std::string& secret, const std::string& text) {
  constexpr size_t kLength = 8;
  for (size_t at = 0; at + kLength <= secret.size(); ++at)
    if (text.find(secret.substr(at, kLength)) != text.npos) return secret.substr(at, kLength);
  return "";
}

}  // namespace

TEST_CASE("nothing of a secret that streams in is written, wherever it is cut") {
  struct Case {
    std::string text, secret;
  };
  const std::string token = "ghp_" + all(36), password = "Zx9" + all(24, 3);
  const std::string key = key_block("RSA PRIVATE KEY", 12), lines = key.substr(key.find('\n') + 1);
  std::string in_one_line;
  for (const char c : key) in_one_line += c == '\n' ? std::string("\\n") : std::string(1, c);
  const Case cases[] = {
      {"The tokens " + token + " and " + token + " again.\nNo more.", token},
      {"Here it is:\n" + key + "and more words follow here.", lines.substr(0, lines.find("---"))},
      {"const char *key = \"" + in_one_line + "\";\n", lines.substr(0, lines.find('\n'))},
      {"API_TOKEN = " + password + "\nand more\n", password},
      {"curl -H \"Authorization: Bearer " + password + "\" here\n", password},
      {"see https://me:" + password + "@example.com/a or not\n", password},
  };
  for (const Case& each : cases) {
    REQUIRE(piece_of(each.secret, without_secret_bytes(each.text)) == "");
    for (const size_t size : {1, 3, 20}) {
      Place place;
      HistoryStore store = place.open();
      store.begin_ask(start_of("ask-1", "session-1"));
      store.begin_reply("session-1", "ask-1", 0, 1);
      std::string last;
      for (size_t at = 0; at < each.text.size(); at += size) {
        store.add_to_reply("session-1", false, each.text.substr(at, size));
        store.flush();
        last = streamed(store);
        REQUIRE_MESSAGE(piece_of(each.secret, last) == "", last);
      }
      store.break_reply("session-1", "cancelled");
      last = streamed(store);
      CHECK_MESSAGE(piece_of(each.secret, last) == "", last);
      CHECK_MESSAGE(last.size() + 20 > each.text.size(), last);  // it did not wait for ever
    }
  }
}

TEST_CASE("of a reply that breaks off in a secret, nothing of that is kept") {
  const std::string key = key_block("PRIVATE KEY", 12), token = "ghp_" + all(36);
  for (const std::string& secret : {key.substr(0, key.size() / 2), token.substr(0, 30)}) {
    Place place;
    HistoryStore store = place.open();
    store.begin_ask(start_of("ask-1", "session-1"));
    store.begin_reply("session-1", "ask-1", 0, 1);
    store.add_to_reply("session-1", false, "It is this: " + secret);
    store.break_reply("session-1", "cancelled");
    CHECK(streamed(store) == "It is this: ");
  }
}

TEST_CASE("a thought that has ended is kept whole") {
  Place place;
  HistoryStore store = place.open();
  store.begin_ask(start_of("ask-1", "session-1"));
  store.begin_reply("session-1", "ask-1", 0, 1);
  store.add_to_reply("session-1", true, "Let me think");
  store.flush();
  CHECK(streamed(store) == "Let me ");
  store.add_to_reply("session-1", false, "I have.");
  store.flush();
  CHECK(text_at(store, "SELECT text FROM parts WHERE kind = 'thinking'") == "Let me think");
}

TEST_CASE("no session gets the words of one that was cleared while they stream in") {
  Place place;
  HistoryStore ours = place.open(), other = place.open();
  ours.begin_ask(start_of("ask-1", "session-1"));
  ours.begin_reply("session-1", "ask-1", 0, 1);
  ours.add_to_reply("session-1", false, "ours ");
  ours.flush();
  other.forget_all();
  other.begin_ask(start_of("ask-2", "session-2"));
  other.begin_reply("session-2", "ask-2", 0, 1);
  other.add_to_reply("session-2", false, "theirs ");
  other.flush();
  ours.add_to_reply("session-1", false, "ours ");
  SUBCASE("as they were") {}
  SUBCASE("as another part") { ours.add_to_reply("session-1", true, "ours "); }
  SUBCASE("broken off") { ours.break_reply("session-1", "cancelled"); }
  SUBCASE("begun anew") { ours.begin_reply("session-1", "ask-1", 0, 1); }
  ours.flush();
  ours.add_to_reply("session-1", false, "ours ");
  ours.flush();
  REQUIRE(!ours.database().failure());
  CHECK(text_at(other, "SELECT group_concat(text, '|') FROM parts") == "theirs ");
  CHECK(text_at(other, "SELECT group_concat(coalesce(finish, '-')) FROM messages") == "-");
}

TEST_CASE("the result of a call is that of its reply, also if servers count calls in each") {
  Place place;
  HistoryStore store = place.open();
  store.begin_ask(start_of("ask-1", "session-1"));
  const auto calling = [](const char* path) {
    return Message{Message::Role::assistant,
                   {ToolCall{"call_0", "read_file", {{"path", path}}, nullptr, ""}}};
  };
  store.put_message("session-1", "ask-1", 0, user("Read."), "", 1);
  store.put_message("session-1", "ask-1", 1, calling("one.c"), "tool_use", 1);
  store.add_call({"ask-1", "call_0", "read_file", "", "{}", "int ONE;"});
  store.put_message("session-1", "ask-1", 2,
                    {Message::Role::user, {ToolResult{"call_0", "read_file", "int ONE;"}}}, "", 1);
  store.put_message("session-1", "ask-1", 3, calling("two.c"), "tool_use", 1);
  const auto last = [&] {
    return std::get<ToolResult>(
               store.load_session("session-1")->conversation.messages.back().blocks.at(0))
        .content;
  };
  CHECK(last().starts_with("Not run"));
  store.add_call({"ask-1", "call_0", "read_file", "", "{}", "int TWO;"});
  CHECK(last() == "int TWO;");
  const auto shown = store.show_session("session-1");
  REQUIRE(shown);
  const ShownAsk& ask = shown->asks.at(0);
  CHECK(ask.calls.at(0).message == ask.messages.at(1).id);
  CHECK(ask.calls.at(1).message == ask.messages.at(3).id);
}

TEST_CASE("a history of an earlier version is brought up to date") {
  Place place;
  {
    auto old = Database::open(place.path, Database::Access::create);
    REQUIRE(old);
    std::string name = "version1.sql";
    SUBCASE("of the first version") {}
    SUBCASE("of the second version") { name = "version2.sql"; }
    std::ifstream file(BODKIN_TESTS_DIR "/agent/history/" + name);
    const std::string sql((std::istreambuf_iterator<char>(file)), {});
    old->execute(sql.c_str());
    Statement(*old,
              "INSERT INTO proposals(id, workspace, title, state, created, data) "
              "VALUES ('p9', '/other', '', 'discarded', 1, ?)")
        .bind_bytes(deflated(R"({"undone": 7})"))
        .run();
    REQUIRE(!old->failure());
  }
  auto access = Database::Access::create;
  SUBCASE("by who writes") {}
  SUBCASE("by who reads") { access = Database::Access::read_only; }
  auto store = HistoryStore::open(place.path, access);
  REQUIRE_MESSAGE(store.has_value(), store.error().message);
  const auto sessions = store->sessions(nullptr, 10);
  REQUIRE(sessions.size() == 1);
  const auto shown = store->show_session(sessions[0].id);
  REQUIRE(shown);
  const ShownAsk& ask = shown->asks.at(0);
  REQUIRE(ask.messages.size() == 6);
  CHECK(std::get<TextBlock>(ask.messages[5].blocks.at(0)).text == "b and g are wider.");
  CHECK(ask.calls.at(0).message == ask.messages[1].id);
  CHECK(ask.calls.at(2).message == ask.messages[3].id);
  CHECK(store->load_proposal("", "/work")->id == ask.proposals.at(0).id);
  CHECK(ask.proposals[0].state == "applied");
  CHECK(store->load_undone("/other")->id == "p9");
  CHECK(store->load_session(sessions[0].id)->conversation.messages.size() == 6);
  CHECK(store->database().pragma("foreign_keys") == 1);
  CHECK(text_at(*store, "PRAGMA foreign_key_check") == "");
  CHECK(text_at(*store, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("a session keeps what was chosen for it") {
  Place place;
  HistoryStore store = place.open();
  store.set_choices("session-1", "plan", "a/b");  // it is not there yet
  AskStart start = start_of("ask-1", "session-1");
  start.mode = "auto";
  store.begin_ask(start);
  const auto chosen = [&] {
    const auto session = store.load_session("session-1");
    return session ? session->mode + " " + session->model : "none";
  };
  CHECK(chosen() == "auto ");
  store.set_choices("session-1", "", "a/b");
  store.set_choices("session-1", "plan", "");
  CHECK(chosen() == "plan a/b");
  store.begin_ask(start_of("ask-2", "session-1"));  // of a front end without modes
  CHECK(chosen() == "plan a/b");
}

TEST_CASE("what was applied last is so by its order, whatever the clock says") {
  Place place;
  HistoryStore store = place.open();
  const auto put = [&](const char* id, std::optional<int64_t> applied) {
    store.put_proposal({id, "s", "a", "/work", "A title", "applied", 1, applied, "{}", {}});
  };
  const auto last = [&](const std::set<std::string>& passed = {}) {
    const auto found = store.load_proposal("", "/work", passed);
    return found ? found->id : "";
  };
  put("p1", 5000);
  put("p2", 10);  // the clock went back
  put("p1", 6000);
  CHECK(last() == "p2");
  CHECK(last({"p2"}) == "p1");
  CHECK(last({"p1", "p2"}) == "");
  put("p1", {});
  put("p1", 4);
  CHECK(last() == "p1");  // it was applied again
}

TEST_CASE("a session is named by its id, the beginning of that, or as the last one") {
  Place place;
  HistoryStore store = place.open();
  for (const char* id : {"session-1-aa", "session-1-ab", "session-2-aa"}) {
    AskStart start = start_of(std::string("ask of ") + id, id);
    start.time += id[8] == '2' ? -10 : id[11];
    store.begin_ask(start);
  }
  const std::string work = "/work", other = "/other";
  CHECK(*store.find_session("session-2", &work) == "session-2-aa");
  CHECK(*store.find_session("session-1-aa", &work) == "session-1-aa");
  CHECK(*store.find_session("last", &work) == "session-1-ab");
  CHECK(*store.find_session("session-2", nullptr) == "session-2-aa");
  const auto several = store.find_session("session-1", &work);
  REQUIRE(!several);
  CHECK(several.error().message == "2 ids begin with session-1: session-1-aa, session-1-ab.");
  CHECK(store.find_session("last", &other)
            .error()
            .message.starts_with("This folder has no sessions"));
  CHECK(store.find_session("session-9", &work).error().message == "No such session: session-9.");
}

TEST_CASE("one process at a time has a session, and sees what others have said in it") {
  Place place;
  History history(place.path, {});
  Conversation conversation;
  conversation.granted = {"run make"};
  const auto take = [&](bool waits) {
    return SessionHold::take(&history, "session-1", conversation, waits, {});
  };
  {
    const auto held = take(false);
    REQUIRE(held);
    const auto refused = take(false);
    REQUIRE(!refused);
    CHECK(refused.error().message.starts_with("Another bodkin process is using this session"));
    Conversation others;
    CHECK(SessionHold::take(&history, "session-2", others, false, {}).has_value());
  }
  SUBCASE("one that waits gets it when it is free") {
    auto held = std::make_optional(take(false));
    REQUIRE(held->has_value());
    std::promise<void> waiting;
    const Task task{{}, [&](const Progress&) { waiting.set_value(); }};
    auto next = std::async(std::launch::async, [&] {
      return SessionHold::take(&history, "session-1", conversation, true, task).has_value();
    });
    waiting.get_future().wait();
    held.reset();
    CHECK(next.get());
  }
  SUBCASE("one that waits can be cancelled") {
    const auto held = take(false);
    std::stop_source stop;
    const Task task{stop.get_token(), [&](const Progress&) { stop.request_stop(); }};
    const auto cancelled = SessionHold::take(&history, "session-1", conversation, true, task);
    CHECK(cancelled.error().code == Error::Code::cancelled);
  }
  SUBCASE("its own words are not loaded again, those of others are") {
    for (const std::string& writer : {run_id(), std::string("another")}) {
      HistoryStore store = place.open();
      AskStart start = start_of("ask of " + writer, "session-1");
      start.writer = writer;
      store.begin_ask(start);
      store.put_message("session-1", start.id, 0, user("Theirs."), "", 1);
      REQUIRE(take(false));
      CHECK(conversation.messages.size() == (writer == run_id() ? 0 : 1));
      CHECK(conversation.granted.contains("run make"));
    }
  }
  history.wait_until_written();
  CHECK(fs::is_empty(place.folder.path() + "/state/leases"));
}

TEST_CASE("a locked database is named when bodkin ends") {
  Place place;
  HistoryStore other = place.open();
  other.database().execute("BEGIN IMMEDIATE");
  std::vector<std::string> told;
  bool is_named = true;
  {
    History history(place.path, [&](const std::string& words) { told.push_back(words); });
    history.write(10, [](HistoryStore& store) { store.begin_ask(start_of("a", "s")); });
    SUBCASE("at once") {}
    SUBCASE("also if somebody waited for it") {
      CHECK(history.written(std::chrono::milliseconds(10)).error().message ==
            "The history is locked by another program; try again.");
    }
    SUBCASE("not if it is free in time") {
      other.database().execute("COMMIT");
      is_named = false;
    }
    // Who reads is answered, although something waits to be written before.
    SUBCASE("whoever reads") {
      std::promise<bool> answer;
      history.read([&](HistoryStore&) { answer.set_value(true); },
                   [&](const Error&) { answer.set_value(false); });
      CHECK(!answer.get_future().get());
    }
  }
  CHECK(told.size() == (is_named ? 1 : 0));
  if (is_named) CHECK(told[0].starts_with("The latest activity was not saved: another program"));
}

TEST_CASE("paths that are secrets are not kept") {
  const std::string secret = "ghp_" + all(36);
  Conversation conversation;
  conversation.seen = {{"a.c", 1}, {secret + ".c", 2}};
  conversation.guidance = {"AGENTS.md", secret + "/AGENTS.md"};
  const std::string kept = state_of(conversation).rest.dump();
  CHECK(kept.find(secret) == kept.npos);
  CHECK(kept.find("a.c") != kept.npos);
  Place place;
  HistoryStore store = place.open();
  store.put_proposal({"p",
                      "s",
                      "a",
                      "/work",
                      "T",
                      "ready",
                      1,
                      {},
                      "{}",
                      {{.path = secret + ".c",
                        .rename_to = secret + ".h",
                        .before = Text("a"),
                        .after = Text("b")}}});
  CHECK(text_at(store, "SELECT path || moved_to FROM files").find(secret) == std::string::npos);
}
