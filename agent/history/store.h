// HistoryStore: what the history keeps, and what can be read from it, as rows (schema.cpp). Writes
// are meant to be run within one transaction; their errors stay in the database. All text is kept
// without secrets (hidden.h). One thread at a time. Times: milliseconds since 1970.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/history/database.h"
#include "agent/support/task.h"

namespace bodkin {

struct AskStart {
  std::string id, session;
  std::string workspace;  // workspace_key() of its folders
  std::string title, prompt, model;
  int64_t time = 0;
};

struct AskSum {
  std::string id;
  Spent spent;
  int64_t ended = 0;         // 0: it still runs
  std::string outcome = {};  // done | limit | cancelled | failed
  std::string answer = {}, reason = {};
};

struct CallRow {
  std::string ask, call, tool, reason, parameters, result;
  bool failed = false;
  int64_t time = 0, ms = 0;
};

// The parts of a conversation that are not messages.
struct SessionState {
  std::string system;
  nlohmann::json rest;
};
SessionState state_of(const Conversation& conversation);

struct FileRow {
  std::string path, moved_to, kind;  // update | create | remove
  std::optional<std::string> before, after;
};

struct ProposalRow {
  std::string id, session, ask, workspace, title, state;
  int64_t created = 0;
  std::optional<int64_t> applied;
  std::string data;  // JSON
  std::vector<FileRow> files;
};

struct SessionRow {
  std::string id, workspace, title;
  int64_t created = 0, used = 0, asks = 0, input = 0, output = 0;
  std::optional<double> cost;
};

struct LoadedSession {
  std::string id, workspace, title;
  Conversation conversation;
  std::vector<std::string> asks;  // ids, oldest first
};

struct ShownMessage {
  std::string ask, role, finish;
  bool is_replaced = false, is_complete = true;
  int64_t time = 0;
  std::vector<Block> blocks;
};
struct ShownAsk {
  AskStart start;
  AskSum sum;
  std::vector<ShownMessage> messages;
  std::vector<CallRow> calls;
  std::vector<ProposalRow> proposals;  // without data
};
struct ShownSession {
  SessionRow row;
  std::vector<ShownAsk> asks;
};

class HistoryStore {
 public:
  static std::expected<HistoryStore, Database::Failure> open(const std::string& path,
                                                             Database::Access access);
  Database& database() { return database_; }

  // store_write.cpp
  void begin_ask(const AskStart& start);
  void update_ask(const AskSum& sum);
  void set_state(const std::string& session, const SessionState& state, int64_t time);
  void set_title(const std::string& session, const std::string& title);
  // A reply that streams in, at this place of the conversation, which is its end.
  void begin_reply(const std::string& session, const std::string& ask, size_t position,
                   int64_t time);
  void add_to_reply(const std::string& session, bool is_thought, std::string_view delta);
  // It broke off; it is kept, but is no part of the conversation.
  void break_reply(const std::string& session, const std::string& why);
  // Takes the place of what was there. `finish`: of a reply.
  void put_message(const std::string& session, const std::string& ask, size_t position,
                   const Message& message, const std::string& finish, int64_t time);
  void keep_messages(const std::string& session, size_t count);  // of the conversation
  void add_call(const CallRow& call);
  void put_proposal(const ProposalRow& proposal);
  // What has come of replies goes to the tables; before each commit.
  void flush();

  // store_read.cpp
  // Of one workspace, or of all; the one used last is the first.
  std::vector<SessionRow> sessions(const std::string* workspace, size_t limit);
  Result<LoadedSession> load_session(const std::string& id);
  Result<ShownSession> show_session(const std::string& id);
  // With its data. Without an id: the one that was applied last in that workspace.
  Result<ProposalRow> load_proposal(const std::string& id, const std::string& workspace);
  // With their data: those of exactly this workspace that wait for the user, oldest first.
  std::vector<ProposalRow> open_proposals(const std::string& workspace, size_t limit);

  // store_prune.cpp
  // Forgets what was not used since then, except sessions in `kept`.
  void forget_older(int64_t time);
  // Forgets the oldest sessions until at most so many bytes are used; false: it could not.
  bool shrink(int64_t bytes, int64_t since);
  int64_t bytes();
  void forget_session(const std::string& id);
  void forget_all();

 private:
  explicit HistoryStore(Database database) : database_(std::move(database)) {}
  struct Reply {
    int64_t message = 0;
    int parts = 0;
    bool is_thought = false;
    std::string pending;
  };
  void flush(Reply& reply);
  void delete_reply(const std::string& session);
  std::string put_text(std::string_view text);  // its hash
  std::string text_at(const std::string& hash);
  std::vector<Block> blocks_of(int64_t message);
  void forget_unused_texts();

  Database database_;
  std::map<std::string, Reply> replies_;  // by session
};

// The folders of a workspace, sorted, one a line.
std::string workspace_key(const Roots& roots);
// Have two of them a folder in common, or none at all?
bool share_folder(std::string_view workspace, std::string_view other);

int64_t history_time();  // now

std::string deflated(std::string_view bytes);
std::optional<std::string> inflated(std::string_view bytes);  // nothing: they are damaged

}  // namespace bodkin
