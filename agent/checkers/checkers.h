// Checkers: checks a draft with language servers of our own before anyone sees it, without touching
// a file (agent/README.md, "Checkers"). What is not certainly without new errors is not clean.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/dependents.h"
#include "agent/checkers/language_server.h"
#include "agent/support/task.h"
#include "edits/plan/report.h"

namespace bodkin {

struct CheckerSettings {
  // verify.servers: {"cpp": {"command": ["clangd"]}}, by language or by a server's name; an empty
  // command: none. What is missing has its default.
  nlohmann::json servers = nlohmann::json::object();
  std::chrono::milliseconds timeout{30'000};  // for a server's start, and for its first answer
  bool trusted = false;  // else nothing runs that a file of the folder could start
};

struct CheckRequest {
  std::string root;                // absolute, canonical
  std::vector<ChangedFile> files;  // the draft; paths relative to the root
  std::vector<std::string> open;   // files that somebody looks at, relative
  std::set<std::string> servers;   // only these, by their names; empty: all
};

struct CheckedProblem {
  std::string path;  // relative to the root
  size_t line = 0;   // from 1; of the new text, of `fixed` of the old one
  Severity severity = Severity::error;
  std::string code, message, source;
};

struct CheckResult {
  // By precedence: problems, if there is a new error; not_checked, if something was not checked.
  enum class State { clean, problems, not_checked };
  State state = State::not_checked;
  std::vector<std::string> by;  // who has checked: "clangd", "the syntax"
  std::string reason;           // not_checked: one sentence for the user, without its period
  std::vector<CheckedProblem> added, fixed;
  size_t remaining = 0;  // old errors that are still there
};
std::string_view name_of(CheckResult::State state);  // "clean", "problems", "not_checked"

// Keeps the servers warm between checks. Threads: one at a time.
class Checkers {
 public:
  explicit Checkers(CheckerSettings settings);
  ~Checkers();

  // Blocks, at most for about two minutes.
  CheckResult check(const CheckRequest& request, const Task& task);

 private:
  struct Project;
  class Check;
  CheckerSettings settings_;
  std::map<std::string, std::unique_ptr<Project>> projects_;  // by root
  uint64_t count_ = 0;
};

}  // namespace bodkin
