#include <zlib.h>

#include <chrono>
#include <new>
#include <utility>

#include "agent/history/hidden.h"
#include "agent/history/message_json.h"
#include "agent/history/schema.h"
#include "agent/history/store.h"
#include "agent/platform/sha256.h"
#include "agent/support/json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

using nlohmann::json;

const char* name_of(Message::Role role) {
  return role == Message::Role::user ? "user" : "assistant";
}

}  // namespace

std::string address_of(std::string_view text) { return os::sha256(text); }

int64_t history_time() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string result(size, '\0');
  const int code =
      compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_SPEED);
  if (code != Z_OK) throw std::bad_alloc();  // it has no other way to fail
  result.resize(size);
  return result;
}

SessionState state_of(const Conversation& conversation) {
  const Spent& spent = conversation.spent;
  json roots = json::array();
  for (const Root& root : conversation.roots) roots.push_back({root.name, root.folder});
  std::map<std::string, uint64_t> seen;  // a file whose name is a secret has to be read again
  for (const auto& [path, hash] : conversation.seen)
    if (find_secrets(path).empty()) seen.emplace(path, hash);
  std::set<std::string> guidance;
  for (const std::string& path : conversation.guidance)
    if (find_secrets(path).empty()) guidance.insert(path);
  return {conversation.system,
          {{"profile", conversation.profile},
           {"dialect", conversation.dialect},
           {"editFormat", conversation.edit_format},
           {"seen", std::move(seen)},
           {"guidance", std::move(guidance)},
           {"roots", std::move(roots)},
           {"turns", spent.turns},
           {"input", spent.usage.input},
           {"cacheRead", spent.usage.cache_read},
           {"cacheWrite", spent.usage.cache_write},
           {"output", spent.usage.output},
           {"reasoning", spent.usage.reasoning},
           {"cost", spent.cost_usd ? json(*spent.cost_usd) : json()}}};
}

std::expected<HistoryStore, Database::Failure> HistoryStore::open(const std::string& path,
                                                                  Database::Access access) {
  auto database = Database::open(path, access);
  if (!database) return std::unexpected(database.error());
  if (access == Database::Access::read_only) {
    const auto is_current = check_history(*database);
    if (!is_current) return std::unexpected(is_current.error());
    if (!*is_current) return open(path, Database::Access::create);
  } else if (const auto ready = prepare_history(*database); !ready) {
    return std::unexpected(ready.error());
  }
  return HistoryStore(*std::move(database));
}

std::optional<Database::Failure> HistoryStore::commit(const std::function<void()>& work) {
  constexpr int kTries = 8;  // of a quarter of a second each, for which SQLite waits
  std::optional<Database::Failure> failure;
  for (int i = 0; i < kTries; ++i) {
    database_.execute("BEGIN IMMEDIATE");
    if (!database_.failure()) work();
    database_.execute("COMMIT");
    failure = database_.failure();
    if (!failure) break;
    database_.roll_back();
    if (!failure->is_busy) break;
  }
  return failure;
}

std::string HistoryStore::put_text(std::string_view text) {
  std::string hash = address_of(text);
  Statement known(database_, "SELECT 1 FROM texts WHERE hash = ?");
  if (known.bind_bytes(hash).step()) return hash;
  Statement(database_, "INSERT OR IGNORE INTO texts VALUES (?, ?, ?)")
      .bind_bytes(hash)
      .bind(static_cast<int64_t>(text.size()))
      .bind_bytes(deflated(text))
      .run();
  return hash;
}

void HistoryStore::begin_ask(const AskStart& start) {
  Statement(database_,
            "INSERT INTO sessions(id, workspace, title, created, used, writer, mode) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET used = excluded.used, writer = excluded.writer, "
            "mode = iif(excluded.mode = '', mode, excluded.mode), "
            "workspace = iif(workspace = '', excluded.workspace, workspace)")
      .bind(start.session)
      .bind(start.workspace)
      .bind(without_secret_bytes(start.title))
      .bind(start.time)
      .bind(start.time)
      .bind(start.writer)
      .bind(start.mode)
      .run();
  // A repair goes on under its ask's id.
  Statement(database_,
            "INSERT INTO asks(id, session, prompt, model, begun) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET ended = NULL, outcome = ''")
      .bind(start.id)
      .bind(start.session)
      .bind(without_secret_bytes(start.prompt))
      .bind(start.model)
      .bind(start.time)
      .run();
}

void HistoryStore::update_ask(const AskSum& sum) {
  Statement update(database_,
                   "UPDATE asks SET ended = ?, outcome = ?, answer = ?, reason = ?, turns = ?, "
                   "input = ?, cache_read = ?, cache_write = ?, output = ?, reasoning = ?, "
                   "cost = ? WHERE id = ?");
  sum.ended ? update.bind(sum.ended) : update.bind_null();
  const Usage& usage = sum.spent.usage;
  update.bind(sum.outcome)
      .bind(without_secret_bytes(sum.answer))
      .bind(without_secret_bytes(sum.reason))
      .bind(sum.spent.turns)
      .bind(usage.input)
      .bind(usage.cache_read)
      .bind(usage.cache_write)
      .bind(usage.output)
      .bind(usage.reasoning)
      .bind(sum.spent.cost_usd)
      .bind(sum.id)
      .run();
}

void HistoryStore::set_state(const std::string& session, const SessionState& state, int64_t time) {
  const std::string hash = put_text(without_secret_bytes(state.system));
  Statement(database_, "UPDATE sessions SET system = ?, state = ?, used = ? WHERE id = ?")
      .bind_bytes(hash)
      .bind(text_of_json(state.rest))
      .bind(time)
      .bind(session)
      .run();
}

void HistoryStore::set_title(const std::string& session, const std::string& title) {
  // It may come before its session's first ask has begun.
  const int64_t now = history_time();
  Statement(database_,
            "INSERT INTO sessions(id, workspace, title, created, used) VALUES (?, '', ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET title = excluded.title")
      .bind(session)
      .bind(without_secret_bytes(title))
      .bind(now)
      .bind(now)
      .run();
}

void HistoryStore::set_choices(const std::string& session, const std::string& mode,
                               const std::string& model) {
  Statement(database_,
            "UPDATE sessions SET mode = iif(?1 = '', mode, ?1), model = iif(?2 = '', model, ?2) "
            "WHERE id = ?3")
      .bind(mode)
      .bind(model)
      .bind(session)
      .run();
}

bool HistoryStore::has_session(const std::string& id) {
  return Statement(database_, "SELECT 1 FROM sessions WHERE id = ?").bind(id).step();
}

void HistoryStore::put_message(const std::string& session, const std::string& ask, size_t position,
                               const Message& message, const std::string& finish, int64_t time) {
  delete_reply(session);
  if (!has_session(session)) return;
  Statement(database_,
            "UPDATE messages SET replaced = 1 WHERE session = ? AND position = ? AND replaced = 0")
      .bind(session)
      .bind(static_cast<int64_t>(position))
      .run();
  Statement(database_,
            "INSERT INTO messages(session, ask, position, role, time, finish) "
            "VALUES (?, ?, ?, ?, ?, ?)")
      .bind(session)
      .bind(ask)
      .bind(static_cast<int64_t>(position))
      .bind(name_of(message.role))
      .bind(time)
      .bind(finish)
      .run();
  const int64_t id = database_.last_id();
  int number = 0;
  for (const Block& block : message.blocks) {
    const MessagePart part = part_of(block);
    const bool is_long = part.kind != "text" && part.kind != "thinking";
    const std::string hash = is_long ? put_text(part.content) : "";
    Statement insert(database_, "INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?)");
    insert.bind(id).bind(number++).bind(part.kind).bind(part.text);
    is_long ? insert.bind_bytes(hash) : insert.bind_null();
    insert.bind(text_of_json(part.data)).run();
  }
}

void HistoryStore::keep_messages(const std::string& session, size_t count) {
  delete_reply(session);
  Statement(database_,
            "UPDATE messages SET replaced = 1 WHERE session = ? AND position >= ? AND replaced = 0")
      .bind(session)
      .bind(static_cast<int64_t>(count))
      .run();
}

void HistoryStore::summarize_messages(const std::string& session, size_t count) {
  delete_reply(session);
  Statement(database_,
            "UPDATE messages SET replaced = 2 WHERE session = ? AND position < ? AND replaced = 0")
      .bind(session)
      .bind(static_cast<int64_t>(count))
      .run();
  Statement(database_,
            "UPDATE messages SET position = position - ? WHERE session = ? AND replaced = 0")
      .bind(static_cast<int64_t>(count))
      .bind(session)
      .run();
}

void HistoryStore::add_call(const CallRow& call) {
  const std::string parameters = put_text(without_secret_bytes(call.parameters));
  const std::string result = put_text(without_secret_bytes(call.result));
  // A call's id is only unique together with its reply: some model servers count in each reply.
  Statement(database_,
            "INSERT INTO calls(ask, message, call, tool, reason, parameters, result, failed, time, "
            "ms) SELECT a.id, (SELECT max(m.id) FROM messages m WHERE m.session = a.session AND "
            "m.role = 'assistant' AND m.finish IS NOT NULL AND m.replaced = 0), ?, ?, ?, ?, ?, ?, "
            "?, ? FROM asks a WHERE a.id = ?")
      .bind(call.call)
      .bind(call.tool)
      .bind(without_secret_bytes(call.reason))
      .bind_bytes(parameters)
      .bind_bytes(result)
      .bind(call.failed)
      .bind(call.time)
      .bind(call.ms)
      .bind(call.ask)
      .run();
}

}  // namespace bodkin
