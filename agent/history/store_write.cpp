#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "agent/history/hidden.h"
#include "agent/history/message_json.h"
#include "agent/history/schema.h"
#include "agent/history/sha256.h"
#include "agent/history/store.h"

namespace bodkin {

namespace {

using nlohmann::json;

std::string text_of_rest(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

const char* name_of(Message::Role role) {
  return role == Message::Role::user ? "user" : "assistant";
}

}  // namespace

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

std::string workspace_key(const Roots& roots) {
  std::vector<std::string> folders;
  for (const Root& root : roots) folders.push_back(root.folder);
  std::ranges::sort(folders);
  std::string key;
  for (const std::string& folder : folders) key += (key.empty() ? "" : "\n") + folder;
  return key;
}

SessionState state_of(const Conversation& conversation) {
  const Spent& spent = conversation.spent;
  json roots = json::array();
  for (const Root& root : conversation.roots) roots.push_back({root.name, root.folder});
  return {conversation.system,
          {{"profile", conversation.profile},
           {"dialect", conversation.dialect},
           {"editFormat", conversation.edit_format},
           {"seen", conversation.seen},
           {"guidance", conversation.guidance},
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
  const auto ready =
      access == Database::Access::create ? prepare_history(*database) : check_history(*database);
  if (!ready) return std::unexpected(ready.error());
  return HistoryStore(*std::move(database));
}

std::string HistoryStore::put_text(std::string_view text) {
  std::string hash = sha256(text);
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
            "INSERT INTO sessions(id, workspace, title, created, used) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET used = excluded.used")
      .bind(start.session)
      .bind(start.workspace)
      .bind(without_secret_bytes(start.title))
      .bind(start.time)
      .bind(start.time)
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
      .bind(text_of_rest(state.rest))
      .bind(time)
      .bind(session)
      .run();
}

void HistoryStore::set_title(const std::string& session, const std::string& title) {
  Statement(database_, "UPDATE sessions SET title = ? WHERE id = ?")
      .bind(without_secret_bytes(title))
      .bind(session)
      .run();
}

void HistoryStore::begin_reply(const std::string& session, const std::string& ask, size_t position,
                               int64_t time) {
  delete_reply(session);
  Statement(database_,
            "INSERT INTO messages(session, ask, position, role, time) VALUES (?, ?, ?, "
            "'assistant', ?)")
      .bind(session)
      .bind(ask)
      .bind(static_cast<int64_t>(position))
      .bind(time)
      .run();
  replies_[session].message = database_.last_id();
}

void HistoryStore::add_to_reply(const std::string& session, bool is_thought,
                                std::string_view delta) {
  const auto found = replies_.find(session);
  if (found == replies_.end()) return;
  Reply& reply = found->second;
  if (reply.parts == 0 || reply.is_thought != is_thought) {
    flush(reply);
    reply.is_thought = is_thought;
    ++reply.parts;
    Statement(database_, "INSERT INTO parts(message, number, kind, text) VALUES (?, ?, ?, '')")
        .bind(reply.message)
        .bind(reply.parts - 1)
        .bind(is_thought ? "thinking" : "text")
        .run();
  }
  reply.pending += delta;
}

// A secret may arrive in pieces: all of the part is looked at again.
void HistoryStore::flush(Reply& reply) {
  if (reply.pending.empty()) return;
  Statement before(database_, "SELECT text FROM parts WHERE message = ? AND number = ?");
  before.bind(reply.message).bind(reply.parts - 1);
  const std::string text = before.step() ? before.text(0) : "";
  Statement(database_, "UPDATE parts SET text = ? WHERE message = ? AND number = ?")
      .bind(without_secret_bytes(text + std::exchange(reply.pending, "")))
      .bind(reply.message)
      .bind(reply.parts - 1)
      .run();
}

void HistoryStore::flush() {
  for (auto& [session, reply] : replies_) flush(reply);
}

void HistoryStore::break_reply(const std::string& session, const std::string& why) {
  const auto reply = replies_.extract(session);
  if (!reply) return;
  flush(reply.mapped());
  Statement(database_, "UPDATE messages SET replaced = 1, finish = ? WHERE id = ?")
      .bind(why)
      .bind(reply.mapped().message)
      .run();
}

void HistoryStore::delete_reply(const std::string& session) {
  const auto reply = replies_.extract(session);
  if (!reply) return;
  Statement(database_, "DELETE FROM messages WHERE id = ?").bind(reply.mapped().message).run();
}

void HistoryStore::put_message(const std::string& session, const std::string& ask, size_t position,
                               const Message& message, const std::string& finish, int64_t time) {
  delete_reply(session);
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
    insert.bind(text_of_rest(part.data)).run();
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

void HistoryStore::add_call(const CallRow& call) {
  const std::string parameters = put_text(without_secret_bytes(call.parameters));
  const std::string result = put_text(without_secret_bytes(call.result));
  Statement(database_,
            "INSERT INTO calls(ask, call, tool, reason, parameters, result, failed, time, ms) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(call.ask)
      .bind(call.call)
      .bind(call.tool)
      .bind(without_secret_bytes(call.reason))
      .bind_bytes(parameters)
      .bind_bytes(result)
      .bind(call.failed)
      .bind(call.time)
      .bind(call.ms)
      .run();
}

void HistoryStore::put_proposal(const ProposalRow& row) {
  Statement insert(database_,
                   "INSERT INTO proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                   "ON CONFLICT(id) DO UPDATE SET state = excluded.state, "
                   "applied = iif(excluded.applied IS NULL, NULL, "
                   "coalesce(applied, excluded.applied)), data = excluded.data");
  insert.bind(row.id)
      .bind(row.session)
      .bind(row.ask)
      .bind(row.workspace)
      .bind(without_secret_bytes(row.title))
      .bind(row.state)
      .bind(row.created);
  row.applied ? insert.bind(*row.applied) : insert.bind_null();
  insert.bind_bytes(deflated(row.data)).run();
  // What it is about does not change: the files are those of the first time.
  int64_t number = 0;
  for (const FileRow& file : row.files) {
    const auto hash_of = [&](const std::optional<std::string>& text) {
      return text ? put_text(without_secret_bytes(*text)) : "";
    };
    const std::string before = hash_of(file.before), after = hash_of(file.after);
    Statement add(database_, "INSERT OR IGNORE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)");
    add.bind(row.id).bind(number++).bind(file.path).bind(file.moved_to).bind(file.kind);
    file.before ? add.bind_bytes(before) : add.bind_null();
    file.after ? add.bind_bytes(after) : add.bind_null();
    add.run();
  }
}

}  // namespace bodkin
