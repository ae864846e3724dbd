// Asks: what the person asked of models, from the command to its outcome. Each runs on a thread of
// its own; at most kMaxRunning do at once, the others wait in a queue; one at a time per session.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/loop/run.h"
#include "agent/models/providers/providers.h"
#include "agent/rpc/event_loop.h"

namespace bodkin {

struct AskEnd {
  std::string ask_id, session_id;
  Outcome outcome;
  bool repair = false;  // it was started with repair()
  Roots roots = {};     // that the outcome's paths are of
};

// What the door that shows the asks supplies. The functions run on the loop's thread; those without
// a default must be set.
struct AskHost {
  rpc::EventLoop* loop = nullptr;
  std::function<std::shared_ptr<Workspace>()> workspace;  // as it is now; used on one ask's thread
  Editor* editor = nullptr;  // safe on any thread, outlives Asks; null: nobody is asked
  EditorModels* editor_models = nullptr;               // likewise; null: there are none
  std::function<ModelSettings()> model_settings;       // asked once per session
  std::function<void(const ModelChoice&)> chose = {};  // who will answer, before anything is sent
  std::function<Limits()> limits;
  std::string own_profiles = {};                             // the user's folder of them, or empty
  std::function<std::unique_ptr<Verifier>()> verifier = {};  // for one ask; may give null
  std::function<void(const std::string& ask_id, const Progress&)> report;
  std::function<void(AskEnd)> ended;  // exactly once per start() or repair() that succeeded, later
};

// Sessions are kept as long as there is room: those that were used last, with their conversations;
// who names one that was forgotten is told so. Connections of idle ones are closed.
//
// Lives on the loop's thread.
class Asks {
 public:
  static constexpr size_t kMaxRunning = 4;

  explicit Asks(AskHost host);
  ~Asks() { stop(); }
  Asks(const Asks&) = delete;
  Asks& operator=(const Asks&) = delete;

  struct Started {
    std::string ask_id, session_id;
  };
  std::string new_session();                                // its id
  std::string session_of(const std::string& ask_id) const;  // empty: unknown, or forgotten
  bool has_plan(const std::string& session_id) const;  // its last ask, which has ended, made one
  // The next ask of each session makes its model anew, also of one that is busy now.
  void forget_models();

  // An empty session id makes a new session. Errors, for the person: not_found (no such session),
  // unavailable (its last ask is still running).
  Result<Started> start(Ask ask, const std::string& session_id);
  // Goes on in that ask's conversation under the same id. False: unknown, or its session is busy.
  bool repair(const std::string& ask_id, Ask ask);
  // An empty id cancels all. What was already drafted comes with the outcome. Returns how many.
  size_t cancel(const std::string& ask_id);

  std::vector<std::string> running() const;      // ids, queued ones too
  const Spent& spent() const { return spent_; }  // by all asks that have ended

  // Stops and joins all threads, and calls nothing.
  void stop();

 private:
  struct Session {
    std::string id;
    Conversation conversation;  // of the ask's thread while one runs
    std::unique_ptr<Model> model;
    bool busy = false;
    uint64_t used = 0;             // when, in uses
    size_t bytes = 0;              // of the conversation, when it was used last
    std::deque<std::string> asks;  // the last ones
    bool wants_new_model = false;  // when its next ask begins
  };
  struct Job {
    std::string ask_id;
    Session* session = nullptr;
    Ask ask;
    std::shared_ptr<Workspace> workspace;  // from when it was asked
    bool repair = false;
    Spent before;  // by its session
    Outcome outcome;
  };

  void enqueue(Job job);
  void start_waiting();
  Outcome run_job(const Job& job, const ModelSettings& settings, const Limits& limits,
                  Verifier* verifier, const Task& task);
  void end(uint64_t thread, Job& job);
  void end_unrun(Job job);
  void join(uint64_t thread);
  void release(Session& session);
  void forget_sessions();

  AskHost host_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  std::deque<Job> waiting_;
  std::map<std::string, uint64_t> running_;  // ask id -> thread
  Spent spent_;
  uint64_t next_ask_ = 1, next_session_ = 1, next_thread_ = 1, uses_ = 0;
  std::map<uint64_t, std::jthread> threads_;  // last: joined before anything that they use goes
};

}  // namespace bodkin
