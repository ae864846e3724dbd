// HistoryStore: what the history keeps, and what can be read from it, as rows (schema.cpp). Writes
// are meant to be run within one transaction; their errors stay in the database. All text is kept
// without secrets (hidden.h), except a ProposalRow that is_exact. One thread at a time. Times:
// milliseconds since 1970.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/history/database.h"
#include "agent/support/task.h"

namespace bodkin {

struct AskStart {
  std::string id, session;
  std::string workspace;  // Roots::key() of its folders
  std::string title, prompt, model;
  int64_t time = 0;
  std::string writer = {};  // run_id() of the process
  std::string mode = {};    // name_of() the mode it begins in; empty: its session's stays
};

struct AskSum {
  std::string id;
  Spent spent;
  int64_t ended = 0;         // 0: it still runs
  std::string outcome = {};  // done | limit | refused | cancelled | failed
  std::string answer = {}, reason = {};
};

struct CallRow {
  std::string ask, call, tool, reason, parameters, result;
  bool failed = false;
  int64_t time = 0, ms = 0;
  int64_t message = 0;  // the row of the reply that called it; filled in by the store; 0: unknown
};

// The parts of a conversation that are not messages.
struct SessionState {
  std::string system;
  nlohmann::json rest;
};
SessionState state_of(const Conversation& conversation);
void set_state(Conversation& conversation, const nlohmann::json& rest);

struct ProposalRow {
  std::string id, session, ask, workspace, title;
  // name_of() its Proposal::State; "asked": an agent's proposal that is written only with the
  // user's consent; where it is only listed or shown: its outcome.
  std::string state;
  int64_t created = 0;
  std::optional<int64_t> applied;
  std::string data;                // JSON
  std::vector<ChangedFile> files;  // their paths, moves and texts
  // Its texts are kept as they are, secrets included, so that an undo restores every byte: for
  // changes by `bodkin apply` and agents (lsp/folder/change_log.h). Only put_proposal() uses it.
  bool is_exact = false;
  // The outcome, as far as bodkin knows: "applied", "partly" (the rest waits), "undone in part",
  // "undone", "reverted since" (by others), "unknown" (it was about to be written), or its state;
  // empty: its state.
  std::string outcome = {};
  std::optional<int64_t> undone = {};  // when some of it that still is was undone last
  // The hashes (address_of()) of its files as bodkin left them last; nullopt: there was no file.
  std::map<std::string, std::optional<std::string>> results = {};
};

struct SessionRow {
  std::string id, workspace, title;
  int64_t created = 0, used = 0, asks = 0, input = 0, output = 0;
  std::optional<double> cost;
  bool is_answered = false;       // a model has answered at least once
  std::string outcome, proposal;  // of its last ask; of its newest proposal; "": none
  std::string proposal_id;        // of that
  std::string applied;  // the outcome of its proposal in place that was applied last; "": none is
};

struct LoadedSession {
  std::string id, workspace, title;
  std::string mode, model;  // see set_choices(); empty: unknown
  Conversation conversation;
  std::vector<std::string> asks;  // ids, oldest first
};

struct ShownMessage {
  int64_t id = 0;
  std::string ask, role, finish;
  bool is_replaced = false;  // it broke off, or another version took its place
  bool is_complete = true;
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
  // Runs `work` in a transaction of its own, and tries again while another program has locked the
  // database, for two seconds. For code without a History. Returns why nothing was written.
  std::optional<Database::Failure> commit(const std::function<void()>& work);

  // store_write.cpp: asks and what belongs to them. Nothing is written for a session that was
  // deleted meanwhile, by any process.
  void begin_ask(const AskStart& start);
  bool has_session(const std::string& id);  // it may have been deleted, by any process
  void update_ask(const AskSum& sum);
  void set_state(const std::string& session, const SessionState& state, int64_t time);
  void set_title(const std::string& session, const std::string& title);
  // Keeps the user's choices for a session: the name of a mode, and a model as the front end names
  // it. An empty one stays as it is.
  void set_choices(const std::string& session, const std::string& mode, const std::string& model);
  // Replaces what was there. `finish`: of a reply.
  void put_message(const std::string& session, const std::string& ask, size_t position,
                   const Message& message, const std::string& finish, int64_t time);
  void keep_messages(const std::string& session, size_t count);  // of the conversation
  // A summary, which comes next, replaces the first ones; the others move up.
  void summarize_messages(const std::string& session, size_t count);
  void add_call(const CallRow& call);  // after the reply that called it

  // store_replies.cpp
  // A reply that streams in, at this place of the conversation, which is its end.
  void begin_reply(const std::string& session, const std::string& ask, size_t position,
                   int64_t time);
  void add_to_reply(const std::string& session, bool is_thought, std::string_view delta);
  // The reply broke off; it is kept, but is not part of the conversation.
  void break_reply(const std::string& session, const std::string& why);
  // Writes pending replies to the tables, except an end that may be the beginning of a secret; call
  // it before each commit.
  void flush();

  // store_proposals.cpp
  // Keeps the files of the first time, unless it `replaces` them: only these were applied.
  void put_proposal(const ProposalRow& row, bool replaces_files = false);
  // The id under which this proposal, which was put, is asked for: that of an equal one, which it
  // replaces, or its own.
  std::string asked_once(const ProposalRow& row);
  // Their folder was moved there.
  void move_session(const std::string& id, const std::string& workspace);
  void move_proposal(const std::string& id, const std::string& workspace);
  // Loads a proposal with its data. Without an id: the one that was applied, or applied again, last
  // in that workspace, `or_below` it, except `passed`.
  Result<ProposalRow> load_proposal(const std::string& id, const std::string& workspace,
                                    const std::set<std::string>& passed = {},
                                    bool or_below = false);
  // Whether it shares a folder with the workspace, or changed only files below it.
  bool is_of(const ProposalRow& proposal, const std::string& workspace);
  // Loads, with its data, the proposal of that workspace or below it of which a part was undone
  // last, if nothing else was changed there since. Errors as above.
  Result<ProposalRow> load_undone(const std::string& workspace);
  // The id of the session or proposal that `words`, an id or the beginning of only one, means.
  // Errors, for the user: not_found, invalid_input (there are several).
  Result<std::string> id_of(const std::string& words);
  // The ids of the session's proposals: of the one in place that was applied last (empty: none is),
  // and of all, the newest first.
  std::string last_applied_of(const std::string& session);
  std::vector<std::string> proposals_of_session(const std::string& session);
  // The proposals that no ask has made, the newest first, without data and with empty texts, which
  // may be many megabytes.
  std::vector<ProposalRow> proposals_without_ask();
  void load_texts(ProposalRow& proposal);  // of its files
  // The ids of those of one workspace whose files are now as they made them, the newest first.
  // `read`: the text of a file; called once for each.
  std::vector<std::string> proposals_in_place(
      const std::string& workspace,
      const std::function<std::optional<Text>(const std::string& path)>& read);
  // The proposals of exactly this workspace that wait for the user, with their data, oldest first.
  std::vector<ProposalRow> open_proposals(const std::string& workspace, size_t limit);

  // store_outcomes.cpp
  // It was written, unless something else is known of it by now.
  void confirm(const std::string& id);
  // ProposalRow::outcome of a proposal. If that is in place, also whether its files are still as
  // bodkin left them: "applied, changed since", or "applied, reverted since" (they are as they were
  // before it). An unknown one is "applied", "partly" or "not applied" if the files tell.
  // `hash_now`: address_of() a file; nullopt: there is none. Called once for each.
  using HashNow = std::function<std::optional<std::string>(const std::string& workspace,
                                                           const std::string& path)>;
  std::string outcome_now(const std::string& id, const HashNow& hash_now);

  // store_read.cpp
  // The sessions of one workspace, or of all (null), most recently used first.
  std::vector<SessionRow> sessions(const std::string* workspace, size_t limit);
  // The id of the session that `words` mean: an id, the beginning of only one, a proposal's, or
  // "last", which is of one workspace or of all. Errors as id_of().
  Result<std::string> find_session(const std::string& words, const std::string* workspace);
  Result<LoadedSession> load_session(const std::string& id);
  std::string writer_of(const std::string& session);  // AskStart::writer; empty: no such session
  Result<ShownSession> show_session(const std::string& id);

  // store_prune.cpp
  // Forgets what was last used before this.
  void forget_older(int64_t time);
  // Forgets the least recently used sessions and changes without one, except sessions that
  // `is_held`, until at most this many bytes are used, if that is possible.
  void shrink(int64_t bytes, const std::function<bool(const std::string& session)>& is_held);
  int64_t bytes();
  // Forgets the proposals of this workspace whose ids begin like this, except the newest ones;
  // those that are only asked for are counted separately. It does so only once several have
  // accumulated, since finding the rows that go with them is expensive.
  void keep_newest(const std::string& workspace, const std::string& beginning, int64_t count);
  void forget(const std::string& id);  // a session, or a proposal, with its texts
  void forget_all();

 private:
  explicit HistoryStore(Database database) : database_(std::move(database)) {}
  struct PartialReply {
    int64_t message = 0;
    int parts = 0;
    bool is_thought = false;
    std::string text;       // of the part, as it came
    bool has_more = false;  // than the table
  };
  void flush(PartialReply& reply, bool has_ended);  // the part
  void delete_reply(const std::string& session);
  std::string put_text(std::string_view text);  // its hash
  std::string text_at(const std::string& hash);
  std::vector<Block> blocks_of(int64_t message);
  std::vector<ProposalRow> proposals_of(const std::string& ask);  // without data
  enum class Texts { empty, loaded };
  void add_files(ProposalRow& proposal, Texts texts);
  bool is_below(const ProposalRow& proposal, const std::string& workspace);
  void put_results(const ProposalRow& row);
  void remove(const std::string& id);  // likewise, without its texts
  void forget_unused_texts();

  Database database_;
  std::map<std::string, PartialReply> replies_;  // by session
};

std::vector<std::string_view> folders_of(std::string_view workspace);  // in a Roots::key()
// True if two workspaces (Roots::key()) have a folder in common, or both have none.
bool share_folder(std::string_view workspace, std::string_view other);
// True if it has folders, and all of them were moved or removed.
bool is_gone(std::string_view workspace);

std::string_view change_of(const ChangedFile& file);  // update | create | remove

int64_t history_time();  // now

std::string address_of(std::string_view text);  // a hash by which nobody can make two texts equal
std::string deflated(std::string_view bytes);
std::optional<std::string> inflated(std::string_view bytes);  // nothing: they are damaged

}  // namespace bodkin
