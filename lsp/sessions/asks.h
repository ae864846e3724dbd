// Asks: the user's asks, from the command to the outcome. Each runs on its own thread; at most
// kMaxRunning at once, the others are queued; one at a time per session.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/history/history.h"
#include "agent/loop/run.h"
#include "agent/models/providers/providers.h"
#include "agent/rpc/event_loop.h"
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

// The front end's part. The functions run on the loop's thread; those without a default must be
// set.
struct AskHost {
  rpc::EventLoop* loop = nullptr;
  std::function<std::shared_ptr<Workspace>()> workspace;  // as it is now; used on one ask's thread
  Editor* editor = nullptr;  // safe on any thread, outlives Asks; null: nobody can be asked
  EditorModels* editor_models = nullptr;          // likewise; null if there are none
  std::function<ModelSettings()> model_settings;  // asked for each ask
  std::function<DraftModelSettings()> draft_model_settings = {};  // likewise
  // The model that gives new sessions a title; nothing: none does. May be empty.
  std::function<std::optional<ModelSettings>()> title_model = {};
  std::function<void(const std::string& session_id, const std::string& title)> titled = {};
  std::function<void(const ModelChoice&)> chose = {};  // the chosen model, before anything is sent
  std::function<Limits()> limits;
  std::string own_profiles = {};                             // the user's folder of them, or empty
  std::function<std::unique_ptr<Verifier>()> verifier = {};  // for one ask; may give null
  History* history = nullptr;                                // outlives Asks; null: nothing is kept
  bool wants_drafts = false;                                 // `report` is told of kind draft, too
  std::string run_id = {};  // part of all ids, see run_id(); may be empty
  std::function<void(const std::string& ask_id, const Progress&)> report;
  std::function<void(AskEnd)> ended;  // exactly once per start() or repair() that succeeded, later
};

// The most recently used sessions are kept with their conversations, as many as there is room for;
// using one that was forgotten is an error. Connections of idle sessions are closed.
//
// Main thread only.
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
  struct Session {
    std::string id;
    Conversation conversation;                  // while an ask runs, only its thread uses this
    std::unique_ptr<Model> model, draft_model;  // draft_model: null until it is needed
    size_t jobs = 0;                            // that run or wait
    bool running = false;                       // one of them runs
    uint64_t used = 0;                          // the value of `uses_` when it was last used
    size_t bytes = 0;                           // of the conversation, when it was last used
    std::deque<std::string> asks;               // the most recent ones
    bool wants_new_model = false;               // for its next ask
    bool has_plan = false;                      // its last ask made one

    bool busy() const { return jobs > 0; }
    void forget_models() { model.reset(), draft_model.reset(); }
    void rest() {  // their connections are closed
      if (model) model->rest();
      if (draft_model) draft_model->rest();
    }
  };
  struct Job {
    std::string ask_id;
    Session* session = nullptr;
    Ask ask;
    std::shared_ptr<Workspace> workspace;  // as it is when it begins
    bool repair = false;
    Spent before;  // by its session
    Outcome outcome;
    int64_t window = 0;                        // tokens, by the settings; 0: they do not say
    bool waits = false;                        // for another process's ask in the session
    std::shared_ptr<Workspace> asked_of = {};  // as it was when it had to wait; null: it had not
  };

  // The same function, which does nothing once this is gone. For the loop's thread.
  template <class Function>
  auto while_alive(Function run) const {
    return [alive = std::weak_ptr(alive_), run = std::move(run)](const auto&... arguments) {
      if (alive.lock()) run(arguments...);
    };
  }
  void enqueue(Job job);
  void start_waiting();
  void make_title_of(const Session& session, const std::string& prompt);
  static Outcome cancelled_outcome();
  Outcome run_job(Job& job, const ModelSettings& settings, const DraftModelSettings& draft_settings,
                  const Limits& limits, Verifier* verifier, const Task& task);
  std::string new_id(const char* kind, uint64_t number) const;
  void end(uint64_t thread, Job& job);
  void end_queued(Job job);
  void join(uint64_t thread);
  void release(Session& session);
  void forget_sessions();

  AskHost host_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  std::deque<Job> waiting_;
  std::map<std::string, uint64_t> running_;  // ask id -> thread
  Spent spent_;
  uint64_t next_ask_ = 1, next_session_ = 1, next_thread_ = 1, uses_ = 0;
  BackgroundWork titles_{*host_.loop, {}};
  std::map<uint64_t, std::jthread> threads_;  // last: joined before what they use is destroyed
};

}  // namespace bodkin
