// Checkers: checks a draft with language servers of our own before anyone sees it, without touching
// a file (agent/README.md, "Checkers"). Only a draft known to have no new errors is clean.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/ask/verdict.h"
#include "agent/checkers/language_server.h"
#include "agent/support/task.h"
#include "edits/plan/report.h"

namespace bodkin {

struct CheckerSettings {
  // verify.servers: {"cpp": {"command": ["clangd"]}}, by language or by a server's name; an empty
  // command: none. Missing entries have their defaults.
  nlohmann::json servers = nlohmann::json::object();
  std::chrono::milliseconds timeout{30'000};  // for a server's start, and for its first answer
  bool trusted = false;               // else nothing runs that a file of the folder could start
  std::vector<std::string> readable;  // sandbox.readable: what else the servers may read
};

struct CheckRequest {
  // compare: the draft with what was there. report: what is wrong with the files as they are.
  // warm_up: neither; the servers start, and are shown the files.
  enum class Purpose { compare, report, warm_up };
  Purpose purpose = Purpose::compare;
  std::string root;                // absolute, canonical
  std::vector<ChangedFile> files;  // the draft; paths relative to the root
  // The editor's text of other files, before the draft and with it, if it differs from the disk.
  std::map<std::string, Text> buffers;  // by path relative to the root
  std::vector<std::string> open;        // files that somebody looks at, relative
  std::set<std::string> servers;        // only these, by their names; empty: all
  bool may_run_folder = true;           // of a trusted one its own programs, too
};

struct CheckedProject;

// Keeps the servers warm between checks. Threads: one at a time.
class Checkers {
 public:
  explicit Checkers(CheckerSettings settings);
  ~Checkers();

  // Blocks, at most for about two minutes.
  CheckResult check(const CheckRequest& request, const Task& task);

  struct ServerUse {
    std::string name, folder;
    ProcessUse use;
  };
  std::vector<ServerUse> servers() const;  // that run. Some milliseconds each

  // Ends servers that use more than a quarter of the machine's memory, and 2 GB, and those of
  // projects without a check for ten minutes; they start again when they are needed.
  void end_unneeded();

 private:
  CheckerSettings settings_;
  std::map<std::string, std::unique_ptr<CheckedProject>> projects_;  // by root
  uint64_t count_ = 0;
};

}  // namespace bodkin
