// Replies while they stream in.
#include "agent/history/hidden.h"
#include "agent/history/store.h"

namespace bodkin {

namespace {

constexpr size_t kMaxStreamed = 1 << 20;  // bytes of a part; a whole reply is kept at its end

}  // namespace

void HistoryStore::begin_reply(const std::string& session, const std::string& ask, size_t position,
                               int64_t time) {
  delete_reply(session);
  if (!has_session(session)) return;
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
  PartialReply& reply = found->second;
  if (reply.parts == 0 || reply.is_thought != is_thought) {
    flush(reply, true);
    reply.is_thought = is_thought;
    reply.text.clear();
    Statement(database_,
              "INSERT INTO parts(message, number, kind, text) "
              "SELECT id, ?, ?, '' FROM messages WHERE id = ? AND session = ?")
        .bind(reply.parts++)
        .bind(is_thought ? "thinking" : "text")
        .bind(reply.message)
        .bind(session)
        .run();
    if (database_.changes() == 0) {  // another process has deleted it
      replies_.erase(found);
      return;
    }
  }
  if (reply.text.size() > kMaxStreamed) return;
  reply.text += delta;
  reply.has_more = true;
}

// A secret may arrive in pieces: all of the part is looked at again, and what may yet turn out to
// be one waits, unless the part has ended.
void HistoryStore::flush(PartialReply& reply, bool has_ended) {
  if (!reply.has_more) return;
  std::string text = without_secret_bytes(reply.text);
  if (!has_ended) text.resize(storable_size(reply.text));
  reply.has_more = text.size() < reply.text.size();
  Statement(database_, "UPDATE parts SET text = ? WHERE message = ? AND number = ?")
      .bind(text)
      .bind(reply.message)
      .bind(reply.parts - 1)
      .run();
}

void HistoryStore::flush() {
  for (auto& [session, reply] : replies_) flush(reply, false);
}

void HistoryStore::break_reply(const std::string& session, const std::string& why) {
  const auto reply = replies_.extract(session);
  if (!reply) return;
  flush(reply.mapped(), false);
  Statement(database_, "UPDATE messages SET replaced = 1, finish = ? WHERE id = ? AND session = ?")
      .bind(why)
      .bind(reply.mapped().message)
      .bind(session)
      .run();
}

void HistoryStore::delete_reply(const std::string& session) {
  const auto reply = replies_.extract(session);
  if (!reply) return;
  Statement(database_, "DELETE FROM messages WHERE id = ? AND session = ?")
      .bind(reply.mapped().message)
      .bind(session)
      .run();
}

}  // namespace bodkin
