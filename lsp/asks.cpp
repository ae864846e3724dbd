#include "lsp/asks.h"

#include <utility>

namespace bodkin::lsp {

namespace {

Outcome cancelled() {
  Outcome outcome;
  outcome.end = Outcome::End::cancelled;
  outcome.reason = "Cancelled.";
  return outcome;
}

// What was spent between two moments of a session goes to the sum.
void add_difference(Spent& sum, const Spent& now, const Spent& before) {
  sum.turns += now.turns - before.turns;
  sum.usage.input += now.usage.input - before.usage.input;
  sum.usage.cache_read += now.usage.cache_read - before.usage.cache_read;
  sum.usage.cache_write += now.usage.cache_write - before.usage.cache_write;
  sum.usage.output += now.usage.output - before.usage.output;
  sum.usage.reasoning += now.usage.reasoning - before.usage.reasoning;
  if (sum.cost_usd && now.cost_usd) {
    *sum.cost_usd += *now.cost_usd - before.cost_usd.value_or(0);
  } else {
    sum.cost_usd.reset();
  }
}

}  // namespace

Asks::Asks(AskHost host) : host_(std::move(host)) {}

Asks::~Asks() {
  // All are told before the first is waited for.
  for (auto& [id, thread] : threads_) thread.request_stop();
  threads_.clear();
}

std::string Asks::new_session() {
  auto made = std::make_unique<Session>();
  made->id = "session-" + std::to_string(next_session_++);
  const std::string id = made->id;
  sessions_.emplace(id, std::move(made));
  return id;
}

std::string Asks::session_of(const std::string& ask_id) const {
  const auto found = session_of_ask_.find(ask_id);
  return found == session_of_ask_.end() ? "" : found->second;
}

void Asks::forget_models() {
  for (auto& [id, session] : sessions_) {
    if (!session->busy) session->model.reset();
  }
}

Result<Asks::Started> Asks::start(Ask ask, const std::string& session_id) {
  Session* session = nullptr;
  if (session_id.empty()) {
    session = sessions_.at(new_session()).get();
  } else {
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) {
      return fail(Error::Code::not_found, "There is no session " + session_id + ".");
    }
    session = found->second.get();
    if (session->busy) {
      return fail(Error::Code::unavailable,
                  "This session is busy: wait for its ask, or cancel it with bodkin.cancel.");
    }
  }
  Job job{"ask-" + std::to_string(next_ask_++), session, std::move(ask), host_.workspace(), false,
          session->conversation.spent};
  Started started{job.ask_id, session->id};
  session_of_ask_[job.ask_id] = session->id;
  enqueue(std::move(job));
  return started;
}

bool Asks::repair(const std::string& ask_id, Ask ask) {
  const auto id = session_of_ask_.find(ask_id);
  if (id == session_of_ask_.end()) return false;
  Session* session = sessions_.at(id->second).get();
  if (session->busy) return false;
  enqueue({ask_id, session, std::move(ask), host_.workspace(), true, session->conversation.spent});
  return true;
}

void Asks::cancel(const std::string& ask_id) {
  for (auto job = waiting_.begin(); job != waiting_.end();) {
    if (!ask_id.empty() && job->ask_id != ask_id) {
      ++job;
      continue;
    }
    end_unrun(std::move(*job));
    job = waiting_.erase(job);
  }
  for (const auto& [id, thread] : running_) {
    if (ask_id.empty() || id == ask_id) threads_.at(thread).request_stop();
  }
}

std::vector<std::string> Asks::running() const {
  std::vector<std::string> ids;
  for (const auto& [id, thread] : running_) ids.push_back(id);
  for (const Job& job : waiting_) ids.push_back(job.ask_id);
  return ids;
}

void Asks::work(std::move_only_function<void(const Task&)> work) {
  const uint64_t id = next_thread_++;
  threads_[id] = std::jthread([this, id, work = std::move(work)](std::stop_token stop) mutable {
    work(Task{stop, [](const Progress&) {}});
    host_.loop->post([this, id] { join(id); });
  });
}

void Asks::enqueue(Job job) {
  job.session->busy = true;
  waiting_.push_back(std::move(job));
  start_waiting();
}

void Asks::start_waiting() {
  while (!waiting_.empty() && running_.size() < kMaxRunning) {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    const uint64_t id = next_thread_++;
    running_[job.ask_id] = id;
    // The thread's own stop source is the cancellation; there is no other record of it.
    auto verifier = host_.verifier ? host_.verifier() : nullptr;
    threads_[id] = std::jthread([this, id, job = std::move(job), limits = host_.limits(),
                                 settings = host_.model_settings(),
                                 verifier = std::move(verifier)](std::stop_token stop) mutable {
      Task task{stop, [this, ask_id = job.ask_id](const Progress& progress) {
                  host_.loop->post([this, ask_id, progress] { host_.report(ask_id, progress); });
                }};
      Outcome outcome = run_job(job, settings, limits, verifier.get(), task);
      host_.loop->post([this, id, job = std::move(job), outcome = std::move(outcome)]() mutable {
        end(id, std::move(job), std::move(outcome));
      });
    });
  }
}

// On the ask's thread. To find a model may take a while (a local server, a command for the key).
Outcome Asks::run_job(const Job& job, const ModelSettings& settings, const Limits& limits,
                      Verifier* verifier, const Task& task) {
  Session& session = *job.session;
  if (!session.model) {
    auto model = make_model(settings, host_.editor_models, task);
    if (!model) {
      Outcome outcome;
      outcome.reason = model.error().message;
      return outcome;
    }
    session.model = std::move(*model);
  }
  return run(session.conversation, job.ask, *session.model, *job.workspace, host_.editor, verifier,
             limits, task);
}

void Asks::end(uint64_t thread, Job job, Outcome outcome) {
  join(thread);
  running_.erase(job.ask_id);
  Session& session = *job.session;
  add_difference(spent_, session.conversation.spent, job.before);
  session.busy = false;
  start_waiting();
  host_.ended({job.ask_id, session.id, std::move(outcome), job.repair});
}

// Its end is told from the loop, so that who started it knows its id by then.
void Asks::end_unrun(Job job) {
  host_.loop->post([this, job = std::move(job)] {
    job.session->busy = false;
    host_.ended({job.ask_id, job.session->id, cancelled(), job.repair});
  });
}

// Its last act was to post this: the wait is for its return alone.
void Asks::join(uint64_t thread) { threads_.erase(thread); }

}  // namespace bodkin::lsp
