// DraftChecker: checks the drafts of all asks of a workspace with language servers of our own,
// which stay warm between asks. They run on their own thread: a caller that waits for a check can
// give up at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/ask/draft.h"
#include "agent/checkers/checkers.h"

namespace bodkin {

// Threads: any. Nothing runs before the first call that needs a server. Ends servers that nobody
// has needed for ten minutes, and those that use more than a quarter of the machine's memory (at
// least 2 GB).
class DraftChecker {
 public:
  DraftChecker() = default;
  virtual ~DraftChecker();
  DraftChecker(const DraftChecker&) = delete;
  DraftChecker& operator=(const DraftChecker&) = delete;

  // Takes effect with the next check. If the settings differ from those before, ends all servers.
  void configure(CheckerSettings settings);

  // Starts the servers of these files, which are about to be edited, and returns at once.
  virtual void warm_up(const std::vector<std::string>& paths, Workspace& workspace,
                       const Task& task);

  // `base`: the files without the draft, as the editor has them. Blocks, other asks' checks
  // included, at most for some minutes; when stopped it returns at once.
  virtual CheckResult check(const std::vector<ChangedFile>& files, Workspace& base,
                            const Task& task);
  // Returns a server's report on a file as the editor has it. Blocks like check(). Errors:
  // cancelled; unavailable, the end of a sentence for the user; and those of reading it.
  virtual Result<FileReport> report(const std::string& path, Workspace& base, const Task& task);
  // check() if it takes at most `patience`, by servers that have been used before. Nullopt: it is
  // not known yet.
  virtual std::optional<CheckResult> check_soon(const std::vector<ChangedFile>& files,
                                                Workspace& base, std::chrono::milliseconds patience,
                                                const Task& task);

  // The servers that were running after the last check.
  std::vector<Checkers::ServerUse> servers() const;

 private:
  struct Part {  // of one folder of the workspace
    std::string prefix;
    CheckRequest request;
  };
  struct Job {
    CheckerSettings settings;
    std::vector<Part> parts;
    CheckResult result;  // for a start, what no server can see
    std::stop_source stop;
    bool is_done = false;
  };
  std::shared_ptr<Job> job_of(const std::vector<ChangedFile>& files, Workspace& base,
                              const Task& task) const;
  void start(const std::shared_ptr<Job>& job);  // with mutex_ held
  CheckResult run_and_wait(const std::shared_ptr<Job>& job, const Task& task);
  void run(const std::stop_token& stop);
  void run_job(Job& job);

  mutable std::mutex mutex_;  // guards the following
  std::condition_variable_any changed_;
  CheckerSettings settings_;
  std::vector<Checkers::ServerUse> servers_;
  std::deque<std::shared_ptr<Job>> jobs_;  // the first one runs
  std::set<std::pair<std::string, std::string>>
      warm_;  // folders and the languages that were checked

  std::unique_ptr<Checkers> checkers_;  // of the thread, like the next
  CheckerSettings used_;
  std::jthread thread_;  // last: joined first
};

}  // namespace bodkin
