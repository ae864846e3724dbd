// Asks: the user's asks, from the command to the outcome. Each runs on its own thread; at most
// kMaxRunning at once, the others are queued; one at a time per session.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/history/history.h"
#include "agent/rpc/event_loop.h"
#include "lsp/sessions/ask_session.h"
#include "lsp/sessions/background_work.h"

namespace bodkin {

struct AskEnd {
  std::string ask_id, session_id;
  Outcome outcome;
  bool repair = false;  // it was started with repair()
  Roots roots = {};     // that the outcome's paths are of
  Spent spent = {};     // by the session
  Spent of_ask = {};    // by this ask alone
  // Tokens: of its conversation, about, and of the model's window. 0: not known.
  int64_t context = 0, window = 0;
};

// A door: what an editor, or another program, does for the asks that come from it. Its functions
// run on the loop's thread.
class AskDoor {
 public:
  virtual ~AskDoor() = default;
  virtual std::shared_ptr<Workspace> workspace() = 0;  // as it is now; used on one ask's thread
  virtual AskSetup set_up() = 0;                       // for one ask, by the settings of now
  virtual void report(const std::string& ask_id, const Progress& progress) = 0;
  virtual void ended(AskEnd end) = 0;  // exactly once per start() or repair() that succeeded, later
  virtual void chose(const ModelChoice&) {}  // the chosen model, before anything is sent
  virtual void titled(const std::string& /*session_id*/, const std::string& /*title*/) {}
};

// The most recently used sessions are kept with their conversations, as many as there is room for;
// using one that was forgotten is an error. Connections of idle sessions are closed.
//
// Main thread only.
class Asks {
 public:
  static constexpr size_t kMaxRunning = 4;

  // Both outlive this. `run_id`: part of all ids, see run_id(); may be empty.
  Asks(rpc::EventLoop& loop, AskDoor& door, AskCommons commons, std::string run_id = "")
      : loop_(loop), door_(door), commons_(std::move(commons)), run_id_(std::move(run_id)) {}
  ~Asks() { stop(); }
  Asks(const Asks&) = delete;
  Asks& operator=(const Asks&) = delete;

  struct Started {
    std::string ask_id, session_id;
  };
  std::string new_session();                                  // its id
  std::string session_of(const std::string& ask_id) const;    // empty: unknown, or forgotten
  std::string last_ask(const std::string& session_id) const;  // its id; empty if there is none
  bool knows(const std::string& session_id) const { return sessions_.contains(session_id); }
  bool is_busy(const std::string& session_id) const;  // an ask of it runs, or waits
  void adopt(LoadedSession loaded);  // a session of an earlier run, or one that was forgotten
  bool has_plan(const std::string& session_id) const;  // its last ask, which has ended, made one
  // The next ask of each session recreates its model, even if the session is busy now.
  void forget_models();

  // An empty session id creates a new session. `queues`: if its last ask is still running, this one
  // waits for its end, and then sees the files as they are by then; what it points at is found in
  // them. Errors, for the user: not_found (no such session), unavailable (its last ask is still
  // running; too many wait).
  Result<Started> start(Ask ask, const std::string& session_id, bool queues = false);
  // Continues that ask's conversation under the same id. False: unknown, or its session is busy.
  bool repair(const std::string& ask_id, Ask ask);
  // An empty id cancels all. The outcome has what was already drafted. Returns how many.
  size_t cancel(const std::string& ask_id);

  std::vector<std::string> running() const;      // ids, queued ones too
  const Spent& spent() const { return spent_; }  // by all asks that have ended

  // Stops and joins all threads, and calls nothing.
  void stop();

 private:
  struct Session : AskSession {  // while an ask runs, only its thread uses the AskSession
    using AskSession::AskSession;
    size_t jobs = 0;               // that run or wait
    bool running = false;          // one of them runs
    uint64_t used = 0;             // the value of `uses_` when it was last used
    size_t bytes = 0;              // of the conversation, when it was last used
    std::deque<std::string> asks;  // the most recent ones
    bool wants_new_model = false;  // for its next ask
    bool has_plan = false;         // its last ask made one

    bool busy() const { return jobs > 0; }
  };
  struct Job {
    std::string ask_id;
    Session* session = nullptr;
    Ask ask;
    std::shared_ptr<Workspace> workspace;  // as it is when it begins
    bool repair = false;
    bool is_first = false;  // of a session, which gets a title
    bool waits = false;     // for another process's ask in the session
    AskSetup setup = {};    // once it begins
    Spent before = {};      // by its session
    Outcome outcome = {};
    std::shared_ptr<Workspace> asked_of = {};  // as it was when it had to wait; null: it had not
  };

  // The same function, which does nothing once this is gone. For the loop's thread.
  template <class Function>
  auto while_alive(Function run) const {
    return [alive = std::weak_ptr(alive_), run = std::move(run)](const auto&... arguments) {
      if (alive.lock()) run(arguments...);
    };
  }
  Session& add_session(std::string id);
  void enqueue(Job job);
  void start_waiting();
  void begin(std::shared_ptr<Job> job);
  void make_title_of(const Job& job);
  Outcome run_job(Job& job, const Task& task);
  std::string new_id(const char* kind, uint64_t number) const;
  void end(uint64_t thread, Job& job);
  void end_queued(const Job& job);
  void release(Session& session);
  void forget_sessions();

  rpc::EventLoop& loop_;
  AskDoor& door_;
  const AskCommons commons_;
  const std::string run_id_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  std::deque<Job> waiting_;
  std::map<std::string, uint64_t> running_;  // ask id -> thread
  Spent spent_;
  uint64_t next_ask_ = 1, next_session_ = 1, next_thread_ = 1, uses_ = 0;
  BackgroundWork titles_{loop_, {}};
  std::map<uint64_t, std::jthread> threads_;  // last: joined before what they use is destroyed
};

}  // namespace bodkin
