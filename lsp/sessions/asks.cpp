#include "lsp/sessions/asks.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "agent/ask/conversation_size.h"
#include "agent/context/profile.h"
#include "agent/loop/title.h"
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

}  // namespace

Asks::Asks(AskHost host) : host_(std::move(host)) {}

void Asks::stop() {
  // All are told before the first is waited for.
  for (auto& [id, thread] : threads_) thread.request_stop();
  threads_.clear();
  titles_.stop();
}

std::string Asks::new_id(const char* kind, uint64_t number) const {
  std::string id = kind + ("-" + std::to_string(number));
  if (!host_.run_id.empty()) id += "-" + host_.run_id;
  return id;
}

std::string Asks::new_session() {
  auto made = std::make_unique<Session>();
  made->id = new_id("session", next_session_++);
  made->used = ++uses_;
  const std::string id = made->id;
  sessions_.emplace(id, std::move(made));
  forget_sessions();
  return id;
}

bool Asks::is_busy(const std::string& session_id) const {
  const auto found = sessions_.find(session_id);
  return found != sessions_.end() && found->second->jobs > 0;
}

void Asks::adopt(LoadedSession loaded) {
  if (knows(loaded.id)) return;
  auto made = std::make_unique<Session>();
  made->id = loaded.id;
  made->used = ++uses_;
  made->conversation = std::move(loaded.conversation);
  made->bytes = bytes_of(made->conversation);
  made->asks.assign(loaded.asks.begin(), loaded.asks.end());
  sessions_.emplace(std::move(loaded.id), std::move(made));
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
  const auto profile = load_profile(found->second->conversation.profile, host_.own_profiles);
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
          .workspace = host_.workspace(),
          .waits = queues};
  Started started{job.ask_id, session->id};
  if (session->asks.empty()) make_title_of(*session, job.ask.prompt);
  session->asks.push_back(job.ask_id);
  if (session->asks.size() > kMaxAsks) session->asks.pop_front();
  enqueue(std::move(job));
  return started;
}

// Next to the ask, which does not wait for it.
void Asks::make_title_of(const Session& session, const std::string& prompt) {
  const auto settings = host_.title_model && host_.titled ? host_.title_model() : std::nullopt;
  if (!settings) return;
  Limits limits;  // no other counts across asks
  const Limits all = host_.limits();
  limits.max_cost_usd_per_day = all.max_cost_usd_per_day;
  limits.day = all.day;
  titles_.start([this, id = session.id, prompt, settings = *settings, limits](const Task& task) {
    const auto model = make_model(settings, host_.editor_models, task);
    if (!model || limit_met(limits, Spent(), **model, limits)) return;
    Spent spent;
    const auto title = make_title(**model, prompt, spent, task);
    add_today(limits, spent.usage, (*model)->facts());
    host_.loop->post(while_alive([this, id, title, spent] {
      add(spent_, spent);
      if (title) host_.titled(id, *title);
    }));
  });
}

bool Asks::repair(const std::string& ask_id, Ask ask) {
  const auto found = sessions_.find(session_of(ask_id));
  if (found == sessions_.end() || found->second->busy()) return false;
  Session* session = found->second.get();
  enqueue({.ask_id = ask_id,
           .session = session,
           .ask = std::move(ask),
           .workspace = host_.workspace(),
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
    end_queued(std::move(*job));
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
    const auto job = std::make_shared<Job>(std::move(*next));
    waiting_.erase(next);
    job->session->running = true;
    job->before = job->session->conversation.spent;
    if (std::exchange(job->session->wants_new_model, false)) job->session->forget_models();
    const uint64_t id = next_thread_++;
    const auto reports =
        std::make_shared<Reports>(*host_.loop, while_alive([this, job](const Progress& progress) {
          if (progress.kind != Progress::Kind::draft || host_.wants_drafts)
            host_.report(job->ask_id, progress);
        }));
    const auto finish = while_alive([this, id, job, reports] {
      if (job->outcome.end != Outcome::End::cancelled) reports->flush();
      end(id, *job);
    });
    const Limits limits = host_.limits();
    job->window = limits.window;
    const auto fail_with = [job](const char* what) {
      job->outcome = Outcome();
      job->outcome.reason = std::string("Internal error in bodkin: ") + what + ".";
    };
    try {
      running_[job->ask_id] = id;
      if (job->asked_of) job->workspace = host_.workspace();
      // The thread's own stop source is the cancellation; there is no other record of it.
      auto verifier = host_.verifier ? host_.verifier() : nullptr;
      threads_[id] = std::jthread(
          [this, job, reports, finish, fail_with, limits, settings = host_.model_settings(),
           draft_settings =
               host_.draft_model_settings ? host_.draft_model_settings() : DraftModelSettings(),
           verifier = std::move(verifier)](const std::stop_token& stop) mutable {
            Task task{stop, [&](const Progress& progress) { reports->add(progress); }};
            guarded(
                [&] {
                  job->outcome =
                      run_job(*job, settings, draft_settings, limits, verifier.get(), task);
                },
                fail_with);
            guarded([&] { verifier.reset(); });
            host_.loop->post_reliably(finish);
          });
    } catch (...) {
      guarded([&] { fail_with(exception_message()); });
      host_.loop->post_reliably(finish);
    }
  }
}

void Asks::end(uint64_t thread, Job& job) {
  join(thread);
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
  ended.window = job.window > 0  ? job.window
                 : session.model ? session.model->facts().window.value_or(0)
                                 : 0;
  session.running = false;
  session.has_plan = ended.outcome.is_plan;
  release(session);
  start_waiting();
  host_.ended(std::move(ended));
}

// Its end is told from the loop, so that who started it knows its id by then.
void Asks::end_queued(Job job) {
  host_.loop->post(while_alive([this, job = std::move(job)] {
    AskEnd ended{job.ask_id, job.session->id, cancelled_outcome(), job.repair};
    release(*job.session);
    host_.ended(std::move(ended));
  }));
}

// Its ask is over. The sessions that were not used for longest are forgotten.
void Asks::release(Session& session) {
  --session.jobs;
  session.used = ++uses_;
  if (!session.running) session.bytes = bytes_of(session.conversation);
  host_.loop->post_after(
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
  for (size_t i = kMaxConnected; i < idle.size(); ++i) {
    idle[i]->rest();
  }
  while (idle.size() > 1 && (idle.size() > kMaxSessions || bytes > kMaxBytes)) {
    bytes -= idle.back()->bytes;
    sessions_.erase(std::string(idle.back()->id));
    idle.pop_back();
  }
}

// Its last act was to post this: the wait is for its return alone.
void Asks::join(uint64_t thread) { threads_.erase(thread); }

}  // namespace bodkin
