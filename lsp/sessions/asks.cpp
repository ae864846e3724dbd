#include "lsp/sessions/asks.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "agent/ask/conversation_size.h"
#include "agent/ask/moved_places.h"
#include "agent/context/profile.h"
#include "agent/history/session_hold.h"
#include "agent/support/guarded.h"
#include "lsp/sessions/reports.h"

namespace bodkin {

namespace {

constexpr size_t kMaxSessions = 64;        // that are idle
constexpr size_t kMaxConnected = 4;        // of these keep their connections
constexpr size_t kMaxBytes = 64 << 20;     // of their conversations
constexpr size_t kMaxQueued = 20;          // asks that run or wait, of a session
constexpr size_t kMaxAsks = 100;           // of a session that can still be continued
constexpr std::chrono::seconds kIdle{60};  // then its connections are closed

// Why no model can be asked, as in Outcome.
std::string cause_of(const Error& error) {
  if (error.message == kNoModel) return "no_model";
  if (error.setting.starts_with("model.apiKey")) return "authentication";
  return error.setting.empty() ? "" : "setting";
}

Outcome cancelled_outcome() {
  Outcome outcome;
  outcome.end = Outcome::End::cancelled;
  outcome.reason = "Cancelled.";
  return outcome;
}

}  // namespace

void Asks::stop() {
  // All are told before the first is waited for.
  for (auto& [id, thread] : threads_) thread.request_stop();
  threads_.clear();
  titles_.stop();
}

std::string Asks::new_id(const char* kind, uint64_t number) const {
  std::string id = kind + ("-" + std::to_string(number));
  if (!run_id_.empty()) id += "-" + run_id_;
  return id;
}

Asks::Session& Asks::add_session(std::string id) {
  auto made = std::make_unique<Session>(commons_);
  made->id = std::move(id);
  made->used = ++uses_;
  return *(sessions_[made->id] = std::move(made));
}

std::string Asks::new_session() {
  const std::string id = add_session(new_id("session", next_session_++)).id;
  forget_sessions();
  return id;
}

bool Asks::is_busy(const std::string& session_id) const {
  const auto found = sessions_.find(session_id);
  return found != sessions_.end() && found->second->jobs > 0;
}

void Asks::adopt(LoadedSession loaded) {
  if (knows(loaded.id)) return;
  Session& made = add_session(std::move(loaded.id));
  made.conversation = std::move(loaded.conversation);
  made.bytes = bytes_of(made.conversation);
  made.asks.assign(loaded.asks.begin(), loaded.asks.end());
  forget_sessions();
}

std::string Asks::session_of(const std::string& ask_id) const {
  for (const auto& [id, session] : sessions_) {
    if (std::ranges::find(session->asks, ask_id) != session->asks.end()) return id;
  }
  return "";
}

std::string Asks::last_ask(const std::string& session_id) const {
  const auto found = sessions_.find(session_id);
  return found == sessions_.end() || found->second->asks.empty() ? "" : found->second->asks.back();
}

bool Asks::has_plan(const std::string& session_id) const {
  const auto found = sessions_.find(session_id);
  if (found == sessions_.end() || found->second->busy()) return false;
  if (found->second->has_plan) return true;
  const auto profile = load_profile(found->second->conversation.profile, commons_.own_profiles);
  return profile && profile->is_plan;
}

void Asks::forget_models() {
  for (auto& [id, session] : sessions_) {
    if (session->busy()) {
      session->wants_new_model = true;
    } else {
      session->forget_models();
    }
  }
}

Result<Asks::Started> Asks::start(Ask ask, const std::string& session_id, bool queues) {
  Session* session = nullptr;
  if (session_id.empty()) {
    session = sessions_.at(new_session()).get();
  } else {
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) {
      return fail(Error::Code::not_found, "No such session: " + session_id + ".");
    }
    session = found->second.get();
    if (session->busy() && !queues) {
      return fail(Error::Code::unavailable,
                  "This session is busy: wait for its ask, or cancel it with bodkin.cancel.");
    }
    if (session->jobs >= kMaxQueued) {
      return fail(Error::Code::unavailable, "Too many asks are waiting in this session.");
    }
  }
  Job job{.ask_id = new_id("ask", next_ask_++),
          .session = session,
          .ask = std::move(ask),
          .workspace = door_.workspace(),
          .is_first = session->asks.empty(),
          .waits = queues};
  Started started{job.ask_id, session->id};
  session->asks.push_back(job.ask_id);
  if (session->asks.size() > kMaxAsks) session->asks.pop_front();
  enqueue(std::move(job));
  return started;
}

bool Asks::repair(const std::string& ask_id, Ask ask) {
  const auto found = sessions_.find(session_of(ask_id));
  if (found == sessions_.end() || found->second->busy()) return false;
  Session* session = found->second.get();
  enqueue({.ask_id = ask_id,
           .session = session,
           .ask = std::move(ask),
           .workspace = door_.workspace(),
           .repair = true,
           .waits = true});
  return true;
}

size_t Asks::cancel(const std::string& ask_id) {
  size_t count = 0;
  for (auto job = waiting_.begin(); job != waiting_.end();) {
    if (!ask_id.empty() && job->ask_id != ask_id) {
      ++job;
      continue;
    }
    end_queued(*job);
    job = waiting_.erase(job);
    ++count;
  }
  for (const auto& [id, thread] : running_) {
    if (!ask_id.empty() && id != ask_id) continue;
    const auto found = threads_.find(thread);
    if (found == threads_.end()) continue;
    found->second.request_stop();
    ++count;
  }
  return count;
}

std::vector<std::string> Asks::running() const {
  std::vector<std::string> ids;
  for (const auto& [id, thread] : running_) ids.push_back(id);
  for (const Job& job : waiting_) ids.push_back(job.ask_id);
  return ids;
}

void Asks::enqueue(Job job) {
  ++job.session->jobs;
  const std::string id = job.ask_id;
  waiting_.push_back(std::move(job));
  start_waiting();
  if (!waiting_.empty() && waiting_.back().ask_id == id)
    waiting_.back().asked_of = waiting_.back().workspace;
}

void Asks::start_waiting() {
  while (running_.size() < kMaxRunning) {
    const auto next =
        std::ranges::find_if(waiting_, [](const Job& each) { return !each.session->running; });
    if (next == waiting_.end()) return;
    // The state that its thread and its end share; made before, so that the end needs little
    // memory.
    auto job = std::make_shared<Job>(std::move(*next));
    waiting_.erase(next);
    begin(std::move(job));
  }
}

void Asks::begin(std::shared_ptr<Job> job) {
  Session& session = *job->session;
  session.running = true;
  job->before = session.conversation.spent;
  if (std::exchange(session.wants_new_model, false)) session.forget_models();
  const uint64_t id = next_thread_++;
  const auto reports = std::make_shared<Reports>(
      loop_,
      while_alive([this, job](const Progress& progress) { door_.report(job->ask_id, progress); }));
  const auto finish = while_alive([this, id, job, reports] {
    if (job->outcome.end != Outcome::End::cancelled) reports->flush();
    end(id, *job);
  });
  const auto fail_with = [job](const char* what) {
    job->outcome = Outcome();
    job->outcome.reason = std::string("Internal error in bodkin: ") + what + ".";
  };
  try {
    running_[job->ask_id] = id;
    if (job->asked_of) job->workspace = door_.workspace();
    job->setup = door_.set_up();
    if (job->is_first) make_title_of(*job);
    // The thread's own stop source is the cancellation; there is no other record of it.
    threads_[id] =
        std::jthread([this, job, reports, finish, fail_with](const std::stop_token& stop) {
          const Task task{stop, [&](const Progress& progress) { reports->add(progress); }};
          guarded([&] { job->outcome = run_job(*job, task); }, fail_with);
          guarded([&] { job->setup.verifier.reset(); });
          loop_.post_reliably(finish);
        });
  } catch (...) {
    guarded([&] { fail_with(exception_message()); });
    loop_.post_reliably(finish);
  }
}

// Next to the ask, which does not wait for it.
void Asks::make_title_of(const Job& job) {
  if (!job.setup.title_model) return;
  titles_.start([this, id = job.session->id, prompt = job.ask.prompt,
                 settings = *job.setup.title_model, limits = job.setup.limits](const Task& task) {
    Spent spent;
    const auto title = session_title(settings, prompt, limits, commons_.editor_models, spent, task);
    loop_.post(while_alive([this, id, title, spent] {
      add(spent_, spent);
      if (!title) return;
      door_.titled(id, *title);
      if (commons_.history)
        commons_.history->write(title->size() + 100,
                                [id, title](HistoryStore& store) { store.set_title(id, *title); });
    }));
  });
}

// On the ask's thread.
Outcome Asks::run_job(Job& job, const Task& task) {
  Session& session = *job.session;
  const auto hold =
      SessionHold::take(commons_.history, session.id, session.conversation, job.waits, task);
  if (!hold) {
    Outcome outcome = hold.error().code == Error::Code::cancelled ? cancelled_outcome() : Outcome();
    outcome.reason = hold.error().message;
    return outcome;
  }
  job.before = session.conversation.spent;
  if (job.asked_of && job.ask.selection) {
    const std::string& path = job.ask.selection->path;
    const auto before = job.asked_of->read(path, task), now = job.workspace->read(path, task);
    if (before && now) move_places(job.ask, before->text, now->text);
  }
  auto chosen = session.choose_model(job.setup.model, job.setup.is_human(), task);
  if (!chosen) {
    Outcome outcome;
    outcome.reason = chosen.error().message;
    outcome.cause = cause_of(chosen.error());
    outcome.setting = chosen.error().setting;
    return outcome;
  }
  if (*chosen)
    loop_.post(while_alive([this, choice = **std::move(chosen)] { door_.chose(choice); }));
  return session.run(job.ask_id, job.ask, *job.workspace, job.setup, task);
}

void Asks::end(uint64_t thread, Job& job) {
  threads_.erase(thread);  // its last act was to post this: the wait is for its return alone
  running_.erase(job.ask_id);
  Session& session = *job.session;
  const Spent of_ask = spent_since(job.before, session.conversation.spent);
  add(spent_, of_ask);
  AskEnd ended{job.ask_id, session.id, std::move(job.outcome), job.repair,
               job.workspace->roots({})};
  ended.spent = session.conversation.spent;
  ended.of_ask = of_ask;
  ended.context = static_cast<int64_t>(session.conversation.tokens_per_byte *
                                       static_cast<double>(bytes_of(session.conversation)));
  ended.window = job.setup.limits.window > 0 ? job.setup.limits.window : session.window();
  session.running = false;
  session.has_plan = ended.outcome.is_plan;
  release(session);
  start_waiting();
  door_.ended(std::move(ended));
}

// Its end is reported from the loop, so that the caller that started it knows its id by then.
void Asks::end_queued(const Job& job) {
  loop_.post(while_alive([this, session = job.session, id = job.ask_id, repair = job.repair] {
    release(*session);
    door_.ended({id, session->id, cancelled_outcome(), repair});
  }));
}

// Its ask is over. The sessions that were not used for longest are forgotten.
void Asks::release(Session& session) {
  --session.jobs;
  session.used = ++uses_;
  if (!session.running) session.bytes = bytes_of(session.conversation);
  loop_.post_after(
      kIdle, while_alive([this, id = session.id, used = session.used] {
        const auto found = sessions_.find(id);
        if (found == sessions_.end() || found->second->busy() || found->second->used != used)
          return;
        found->second->rest();
      }));
  forget_sessions();
}

void Asks::forget_sessions() {
  std::vector<Session*> idle;
  size_t bytes = 0;
  for (const auto& [id, session] : sessions_) {
    bytes += session->bytes;
    if (!session->busy()) idle.push_back(session.get());
  }
  std::ranges::sort(idle, std::greater(), &Session::used);
  for (size_t i = kMaxConnected; i < idle.size(); ++i) idle[i]->rest();
  while (idle.size() > 1 && (idle.size() > kMaxSessions || bytes > kMaxBytes)) {
    bytes -= idle.back()->bytes;
    sessions_.erase(std::string(idle.back()->id));
    idle.pop_back();
  }
}

}  // namespace bodkin
