// One check of a draft, what is kept of a project between checks, and the interface of checkers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/checkers.h"
#include "agent/checkers/compile_commands.h"
#include "agent/checkers/dependents.h"
#include "agent/checkers/drafted_project.h"
#include "agent/checkers/findings.h"
#include "agent/context/diagnostics.h"

namespace bodkin {

using Problems = std::map<std::string, FileProblems>;  // by absolute path

struct CheckedProject {
  explicit CheckedProject(std::string folder) : root(std::move(folder)), files(root) {}
  struct Server {
    std::unique_ptr<LanguageServer> process;
    Problems base;  // what it said of files as they are on the disk
  };
  const std::string root;
  SourceFiles files;
  CompileCommands commands;
  std::map<std::string, Server> servers;  // by AskedServer's key
  std::optional<Problems> rust_base;
  bool is_rust_built = false;     // for rust_base
  std::optional<bool> go_builds;  // the packages as they are, which go's cache has then
  uint64_t used = 0;
  std::chrono::steady_clock::time_point used_at;
  std::set<std::string> told;  // why a language has no checker
};

struct Check {
  const CheckerSettings& settings;
  CheckedProject& project;
  const CheckRequest& request;
  const Task& task;
  DraftedProject draft{request};
  Findings found;
};

// Reports its findings about some files of the draft to the check, which outlives it.
class Checker {
 public:
  explicit Checker(Check& check)
      : settings_(check.settings),
        project_(check.project),
        request_(check.request),
        task_(check.task),
        draft_(check.draft),
        found_(check.found) {}
  virtual ~Checker() = default;
  Checker(const Checker&) = delete;

  // One for each CheckRequest::Purpose.
  virtual void compare() = 0;
  virtual void report() = 0;
  virtual void warm_up() {}

 protected:
  const CheckerSettings& settings_;
  CheckedProject& project_;
  const CheckRequest& request_;
  const Task& task_;
  const DraftedProject& draft_;
  Findings& found_;
};

// The errors in a compiler's output that are not in its output before the draft, disregarding the
// numbers they name.
std::vector<CheckedProblem> new_errors_in(std::string_view before, std::string_view after);

// The command tells which server is meant.
std::unique_ptr<Checker> server_checker(Check& check, std::string key, ServerCommand command,
                                        std::vector<ChangedFile> files);
std::unique_ptr<Checker> unit_checker(Check& check, std::string key, ServerCommand command,
                                      std::vector<ChangedFile> files);
std::unique_ptr<Checker> go_checker(Check& check, std::string key, ServerCommand command,
                                    std::vector<ChangedFile> files);
std::unique_ptr<Checker> cargo_checker(Check& check, std::vector<ChangedFile> files);

}  // namespace bodkin
