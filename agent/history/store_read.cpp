#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <utility>

#include "agent/history/message_json.h"
#include "agent/history/store.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxText = 256 << 20;  // bytes; a few of a damaged file could become any number
constexpr char kCutOff[] = "\n[This reply was cut off here: bodkin exited.]";
constexpr char kNeverRun[] = "Not run: bodkin exited first.";

SessionRow session_in(const Statement& row) {
  return {row.text(0),   row.text(1),   row.text(2),   row.number(3), row.number(4),
          row.number(5), row.number(6), row.number(7), row.real(8),   row.number(9) != 0,
          row.text(10),  row.text(11),  row.text(12),  row.text(13)};
}

// The cost of a session is unknown if one of its asks has an unknown price.
constexpr std::string_view kSessions =
    "SELECT s.id, s.workspace, s.title, s.created, s.used, count(a.id), sum(a.input), "
    "sum(a.output), CASE WHEN count(a.id) = count(a.cost) THEN sum(a.cost) END, "
    "EXISTS (SELECT 1 FROM messages m JOIN parts ON parts.message = m.id "
    "WHERE m.session = s.id AND m.role = 'assistant'), "
    "(SELECT l.outcome FROM asks l WHERE l.session = s.id ORDER BY l.begun DESC, l.rowid DESC), "
    "(SELECT p.outcome FROM proposals p WHERE p.session = s.id "
    "ORDER BY p.created DESC, p.rowid DESC), "
    "(SELECT p.id FROM proposals p WHERE p.session = s.id "
    "ORDER BY p.created DESC, p.rowid DESC), "
    "(SELECT p.outcome FROM proposals p WHERE p.session = s.id AND p.place IS NOT NULL "
    "ORDER BY p.place DESC) "
    "FROM sessions s LEFT JOIN asks a ON a.session = s.id ";

}  // namespace

void set_state(Conversation& conversation, const json& state) {
  conversation.profile = string_at(state, "profile");
  conversation.dialect = string_at(state, "dialect");
  conversation.edit_format = string_at(state, "editFormat");
  if (const json& seen = at(state, "seen"); seen.is_object()) {
    for (const auto& [path, hash] : seen.items())
      if (hash.is_number_integer()) conversation.seen[path] = hash.get<uint64_t>();
  }
  if (const json& guidance = at(state, "guidance"); guidance.is_array()) {
    for (const json& path : guidance)
      if (path.is_string()) conversation.guidance.insert(path.get<std::string>());
  }
  std::vector<Root> roots;
  if (const json& known = at(state, "roots"); known.is_array()) {
    for (const json& root : known) {
      if (root.is_array() && root.size() == 2 && root[0].is_string() && root[1].is_string())
        roots.push_back({root[0].get<std::string>(), root[1].get<std::string>()});
    }
  }
  conversation.roots = Roots(std::move(roots));
  Spent& spent = conversation.spent;
  spent.turns = static_cast<int>(int_at(state, "turns"));
  spent.usage = {int_at(state, "input"), int_at(state, "cacheRead"), int_at(state, "cacheWrite"),
                 int_at(state, "output"), int_at(state, "reasoning")};
  const json& cost = at(state, "cost");
  spent.cost_usd = cost.is_number() ? std::optional(cost.get<double>()) : std::nullopt;
}

std::vector<std::string_view> folders_of(std::string_view workspace) {
  std::vector<std::string_view> folders;
  for (const auto& part : std::views::split(workspace, '\n'))
    if (!part.empty()) folders.emplace_back(part.begin(), part.end());
  return folders;
}

bool share_folder(std::string_view workspace, std::string_view other) {
  const auto ours = folders_of(workspace), theirs = folders_of(other);
  if (ours.empty() || theirs.empty()) return ours.empty() && theirs.empty();
  return std::ranges::find_first_of(ours, theirs) != ours.end();
}

bool is_gone(std::string_view workspace) {
  const auto folders = folders_of(workspace);
  return !folders.empty() && std::ranges::none_of(folders, [](std::string_view folder) {
    std::error_code error;
    return std::filesystem::exists(folder, error) || error;  // one that cannot be seen may be there
  });
}

std::optional<std::string> inflated(std::string_view bytes) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  int code = Z_OK;
  while (code == Z_OK && result.size() < kMaxText) {
    char piece[1 << 14];
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = ::inflate(&stream, Z_NO_FLUSH);
    result.append(piece, sizeof piece - stream.avail_out);
  }
  ::inflateEnd(&stream);
  return code == Z_STREAM_END ? std::optional(std::move(result)) : std::nullopt;
}

std::string HistoryStore::text_at(const std::string& hash) {
  Statement found(database_, "SELECT data FROM texts WHERE hash = ?");
  if (hash.empty() || !found.bind_bytes(hash).step()) return "";
  return inflated(found.text(0)).value_or("");
}

std::vector<Block> HistoryStore::blocks_of(int64_t message) {
  std::vector<Block> blocks;
  Statement rows(database_,
                 "SELECT kind, text, content, data FROM parts WHERE message = ? ORDER BY number");
  rows.bind(message);
  while (rows.step()) {
    MessagePart part{rows.text(0), rows.text(1), "", parse_json(rows.text(3)).value_or(nullptr)};
    if (!rows.is_null(2)) part.content = text_at(rows.text(2));
    if (auto block = block_of(part)) blocks.push_back(*std::move(block));
  }
  return blocks;
}

std::vector<SessionRow> HistoryStore::sessions(const std::string* workspace, size_t limit) {
  std::vector<SessionRow> result;
  Statement rows(database_, std::string(kSessions) +
                                "GROUP BY s.id HAVING count(a.id) > 0 ORDER BY s.used DESC, s.id");
  while (result.size() < limit && rows.step()) {
    SessionRow row = session_in(rows);
    if (!workspace || share_folder(row.workspace, *workspace)) result.push_back(std::move(row));
  }
  return result;
}

Result<std::string> HistoryStore::find_session(const std::string& words,
                                               const std::string* workspace) {
  if (words == "last") {
    const auto found = sessions(workspace, 1);
    if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
    if (!found.empty()) return found[0].id;
    return fail(Error::Code::not_found,
                workspace ? "This folder has no sessions." : "The history is empty.");
  }
  auto id = id_of(words);
  if (!id && id.error().code == Error::Code::not_found)
    id.error().message = "No such session: " + words + ".";
  if (!id) return id;
  Statement proposal(database_, "SELECT session FROM proposals WHERE id = ? AND session <> ''");
  return proposal.bind(*id).step() ? proposal.text(0) : *id;
}

std::string HistoryStore::writer_of(const std::string& session) {
  Statement row(database_, "SELECT writer FROM sessions WHERE id = ?");
  return row.bind(session).step() ? row.text(0) : "";
}

Result<LoadedSession> HistoryStore::load_session(const std::string& id) {
  LoadedSession session;
  Statement row(database_,
                "SELECT workspace, title, system, state, mode, model FROM sessions WHERE id = ?");
  if (!row.bind(id).step()) return fail(Error::Code::not_found, "No such session: " + id + ".");
  session.id = id;
  session.workspace = row.text(0);
  session.title = row.text(1);
  session.mode = row.text(4);
  session.model = row.text(5);
  Conversation& conversation = session.conversation;
  conversation.system = text_at(row.text(2));
  bodkin::set_state(conversation, parse_json(row.text(3)).value_or(json::object()));
  Statement asks(database_, "SELECT id FROM asks WHERE session = ? ORDER BY begun, rowid");
  asks.bind(id);
  while (asks.step()) session.asks.push_back(asks.text(0));

  Statement rows(database_,
                 "SELECT id, role, finish FROM messages WHERE session = ? AND replaced = 0 "
                 "ORDER BY position, id");
  rows.bind(id);
  std::vector<int64_t> last;  // the replies that the last message is made of
  while (rows.step()) {
    Message message{rows.text(1) == "user" ? Message::Role::user : Message::Role::assistant,
                    blocks_of(rows.number(0))};
    if (rows.is_null(2)) {  // it was streaming in when everything ended
      std::string text;
      for (const Block& block : message.blocks)
        if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
      message.blocks.clear();
      if (!text.empty()) message.blocks.push_back(TextBlock{text + kCutOff});
    }
    if (message.blocks.empty()) continue;
    auto& messages = conversation.messages;
    if (!messages.empty() && messages.back().role == message.role) {
      std::ranges::move(message.blocks, std::back_inserter(messages.back().blocks));
    } else {
      last.clear();
      messages.push_back(std::move(message));
    }
    last.push_back(rows.number(0));
  }
  if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
  if (!conversation.messages.empty() &&
      conversation.messages.back().role == Message::Role::assistant) {
    // The results of the calls that have ended; the message with them was never written.
    std::map<std::string, std::pair<std::string, bool>> results;
    for (const int64_t reply : last) {
      Statement calls(database_, "SELECT call, result, failed FROM calls WHERE message = ?");
      calls.bind(reply);
      while (calls.step()) results[calls.text(0)] = {calls.text(1), calls.number(2) != 0};
    }
    Message missing{Message::Role::user, {}};
    for (const Block& block : conversation.messages.back().blocks) {
      const auto* call = std::get_if<ToolCall>(&block);
      if (!call) continue;
      const auto known = results.find(call->id);
      if (known == results.end()) {
        missing.blocks.push_back(ToolResult{call->id, call->name, kNeverRun, true});
      } else {
        missing.blocks.push_back(
            ToolResult{call->id, call->name, text_at(known->second.first), known->second.second});
      }
    }
    if (!missing.blocks.empty()) conversation.messages.push_back(std::move(missing));
  }
  return session;
}

Result<ShownSession> HistoryStore::show_session(const std::string& id) {
  ShownSession session;
  Statement row(database_, std::string(kSessions) + "WHERE s.id = ? GROUP BY s.id");
  if (!row.bind(id).step()) return fail(Error::Code::not_found, "No such session: " + id + ".");
  session.row = session_in(row);
  Statement asks(database_,
                 "SELECT id, prompt, model, begun, ended, outcome, answer, reason, turns, input, "
                 "cache_read, cache_write, output, reasoning, cost FROM asks WHERE session = ? "
                 "ORDER BY begun, rowid");
  asks.bind(id);
  while (asks.step()) {
    ShownAsk& ask = session.asks.emplace_back();
    ask.start = {asks.text(0), id,           session.row.workspace, session.row.title,
                 asks.text(1), asks.text(2), asks.number(3)};
    ask.sum.id = ask.start.id;
    ask.sum.ended = asks.number(4);
    ask.sum.outcome = asks.text(5);
    ask.sum.answer = asks.text(6);
    ask.sum.reason = asks.text(7);
    ask.sum.spent.turns = static_cast<int>(asks.number(8));
    ask.sum.spent.usage = {asks.number(9), asks.number(10), asks.number(11), asks.number(12),
                           asks.number(13)};
    ask.sum.spent.cost_usd = asks.real(14);

    Statement messages(database_,
                       "SELECT id, role, finish, replaced, time FROM messages WHERE ask = ? "
                       "ORDER BY id");
    messages.bind(ask.start.id);
    while (messages.step()) {
      ask.messages.push_back({messages.number(0), ask.start.id, messages.text(1), messages.text(2),
                              messages.number(3) == 1, !messages.is_null(2), messages.number(4),
                              blocks_of(messages.number(0))});
    }
    Statement calls(database_,
                    "SELECT call, tool, reason, parameters, result, failed, time, ms, message "
                    "FROM calls "
                    "WHERE ask = ? ORDER BY id");
    calls.bind(ask.start.id);
    while (calls.step()) {
      ask.calls.push_back({ask.start.id, calls.text(0), calls.text(1), calls.text(2),
                           text_at(calls.text(3)), text_at(calls.text(4)), calls.number(5) != 0,
                           calls.number(6), calls.number(7), calls.number(8)});
    }
    ask.proposals = proposals_of(ask.start.id);
  }
  if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
  return session;
}

}  // namespace bodkin
