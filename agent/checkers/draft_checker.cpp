#include "agent/checkers/draft_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/checkers/server_choice.h"
#include "agent/platform/paths.h"
#include "agent/support/guarded.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
#include "edits/plan/diff.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kIdle = 10min;
constexpr size_t kMaxBuffer = 16u << 20;  // bytes of a file

bool are_same(const CheckerSettings& a, const CheckerSettings& b) {
  return a.servers == b.servers && a.timeout == b.timeout && a.trusted == b.trusted &&
         a.readable == b.readable;
}

std::string language_at(const std::string& path) {
  const Language* language = language_of(path);
  return language ? std::string(language->id) : "";
}

void add_part(CheckResult& sum, CheckResult part, const std::string& prefix) {
  const auto add = [&](std::vector<CheckedProblem>& to, std::vector<CheckedProblem>& from) {
    for (CheckedProblem& problem : from) {
      if (!os::is_absolute(problem.path)) problem.path = prefix + problem.path;
      to.push_back(std::move(problem));
    }
  };
  add(sum.added, part.added);
  add(sum.fixed, part.fixed);
  sum.remaining += part.remaining;
  sum.is_silenced = sum.is_silenced || part.is_silenced;
  for (auto& [path, problems] : part.now) sum.now[prefix + path] = std::move(problems);
  for (std::string& name : part.by)
    if (std::ranges::find(sum.by, name) == sum.by.end()) sum.by.push_back(std::move(name));
  if (!sum.reason.empty()) return;
  sum.reason = std::move(part.reason);
  sum.doubt = part.doubt;
}

}  // namespace

DraftChecker::~DraftChecker() {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_) job->stop.request_stop();
  thread_.request_stop();
}

void DraftChecker::configure(CheckerSettings settings) {
  const std::lock_guard lock(mutex_);
  if (!are_same(settings, settings_)) warm_.clear();
  settings_ = std::move(settings);
}

// On the caller's thread: `base` is its.
std::shared_ptr<DraftChecker::Job> DraftChecker::job_of(const std::vector<ChangedFile>& files,
                                                        Workspace& base, const Task& task) const {
  auto job = std::make_shared<Job>();
  const Roots roots = base.roots(task);
  const auto part_of = [&](const Root& root) -> CheckRequest& {
    const std::string prefix = roots.prefix_of(root);
    for (Part& part : job->parts)
      if (part.prefix == prefix) return part.request;
    job->parts.push_back({prefix, {}});
    CheckRequest& request = job->parts.back().request;
    request.root = real_or_same(root.folder);
    return request;
  };
  std::set<std::string> drafted;
  for (const ChangedFile& draft : files) {
    drafted.insert(draft.path);
    const auto place = roots.find(draft.path);
    if (!place || roots.empty()) {  // a server would read what is around a file
      job->result.reason =
          place ? "no folder is open" : fmt::format("{} is not a file", draft.path);
      continue;
    }
    ChangedFile file = change_between(place->inside, draft.before, draft.after);
    if (draft.rename_to) {
      const auto target = roots.find(*draft.rename_to);
      if (!target || target->root != place->root) {
        job->result.reason = fmt::format("{} moves to another folder", draft.path);
        continue;
      }
      file.rename_to = target->inside;
    }
    part_of(place->root).files.push_back(std::move(file));
  }
  for (const std::string& path : base.open_paths(task)) {
    const auto place = roots.find(path);
    if (!place || roots.empty() || drafted.contains(path)) continue;
    const auto buffer = base.read(path, task);
    if (!buffer) continue;
    CheckRequest& request = part_of(place->root);
    request.open.push_back(place->inside);
    const auto disk = read_file(place->absolute, kMaxBuffer);
    if (!disk || !(Text(*disk) == buffer->text)) request.buffers[place->inside] = buffer->text;
  }
  std::erase_if(job->parts, [](const Part& part) { return part.request.files.empty(); });
  return job;
}

void DraftChecker::start(const std::shared_ptr<Job>& job) {
  job->settings = settings_;
  jobs_.push_back(job);
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  changed_.notify_all();
}

Result<FileReport> DraftChecker::report(const std::string& path, Workspace& base,
                                        const Task& task) {
  auto file = base.read(path, task);
  if (!file) return std::unexpected(file.error());
  const auto job = job_of({{.path = path, .before = file->text, .after = file->text}}, base, task);
  for (Part& part : job->parts) part.request.purpose = CheckRequest::Purpose::report;
  CheckResult result = run_and_wait(job, task);
  const auto known = result.now.find(path);
  if (known != result.now.end() && !result.by.empty())
    return FileReport{result.by[0], std::move(known->second)};
  return fail(
      task.stop.stop_requested() ? Error::Code::cancelled : Error::Code::unavailable,
      result.reason.empty() ? fmt::format("no checker is known for {}", path) : result.reason);
}

void DraftChecker::warm_up(const std::vector<std::string>& paths, Workspace& workspace,
                           const Task& task) {
  std::vector<ChangedFile> files;
  for (const std::string& path : paths) {
    auto file = workspace.read(path, task);
    if (!file || language_at(path).empty()) continue;
    files.push_back({.path = path, .before = file->text, .after = file->text});
  }
  const auto job = job_of(files, workspace, task);
  for (Part& part : job->parts) part.request.purpose = CheckRequest::Purpose::warm_up;
  const std::lock_guard lock(mutex_);
  if (!job->parts.empty() && jobs_.empty()) start(job);
}

// Decides: when a draft is checked, and by whom.
CheckResult DraftChecker::check(const std::vector<ChangedFile>& files, Workspace& base,
                                const Task& task) {
  return run_and_wait(job_of(files, base, task), task);
}

CheckResult DraftChecker::run_and_wait(const std::shared_ptr<Job>& job, const Task& task) {
  std::unique_lock lock(mutex_);
  start(job);
  if (changed_.wait(lock, task.stop, [&] { return job->is_done; })) return std::move(job->result);
  job->stop.request_stop();
  CheckResult cancelled;
  cancelled.reason = "cancelled";
  return cancelled;
}

std::optional<CheckResult> DraftChecker::check_soon(const std::vector<ChangedFile>& files,
                                                    Workspace& base,
                                                    std::chrono::milliseconds patience,
                                                    const Task& task) {
  const auto job = job_of(files, base, task);
  std::unique_lock lock(mutex_);
  bool has_server = false;
  for (const Part& part : job->parts) {
    for (const ChangedFile& file : part.request.files) {
      const std::string language = language_at(file.path);
      const std::string& root = part.request.root;
      if (!choose_server(language, settings_.servers, root, settings_.trusted)) continue;
      has_server = true;
      if (!warm_.contains({root, language})) return std::nullopt;
    }
  }
  if (!has_server) return CheckResult();
  if (!jobs_.empty()) return std::nullopt;
  start(job);
  // If it takes longer, it goes on: to stop it would end the server.
  if (!changed_.wait_for(lock, task.stop, patience, [&] { return job->is_done; }))
    return std::nullopt;
  return std::move(job->result);
}

std::vector<Checkers::ServerUse> DraftChecker::servers() const {
  const std::lock_guard lock(mutex_);
  return servers_;
}

void DraftChecker::run(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    const bool has_job = changed_.wait_for(lock, stop, kIdle, [&] { return !jobs_.empty(); });
    if (stop.stop_requested()) return;
    if (!has_job) {
      warm_.clear();
      servers_.clear();
      lock.unlock();
      checkers_.reset();
      continue;
    }
    const auto job = jobs_.front();
    lock.unlock();
    guarded([&] { run_job(*job); },
            [&](const char* what) { job->result.reason = std::string("internal error: ") + what; });
    lock.lock();
    if (!job->stop.stop_requested() && are_same(job->settings, settings_)) {
      for (const Part& part : job->parts)
        for (const ChangedFile& file : part.request.files)
          warm_.insert({part.request.root, language_at(file.path)});
    }
    job->is_done = true;
    jobs_.pop_front();
    changed_.notify_all();
    lock.unlock();
    auto servers = checkers_ ? checkers_->servers() : std::vector<Checkers::ServerUse>();
    lock.lock();
    servers_ = std::move(servers);
  }
}

void DraftChecker::run_job(Job& job) {
  if (job.stop.stop_requested()) return;
  if (!checkers_ || !are_same(job.settings, used_)) {
    checkers_ = std::make_unique<Checkers>(job.settings);
    used_ = job.settings;
  }
  checkers_->end_unneeded();
  using State = CheckResult::State;
  CheckResult& result = job.result;
  bool is_clean = result.reason.empty();
  for (const Part& part : job.parts) {
    CheckResult one = checkers_->check(part.request, {job.stop.get_token(), nullptr});
    is_clean = is_clean && one.state == State::clean;
    add_part(result, std::move(one), part.prefix);
  }
  result.state = result.new_errors() > 0 ? State::problems
                 : is_clean              ? State::clean
                                         : State::not_checked;
}

}  // namespace bodkin
