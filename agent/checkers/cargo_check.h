// cargo_check: what the Rust compiler says of a folder, in the sandbox.
#pragma once

#include <map>
#include <set>
#include <stop_token>
#include <string>

#include "agent/checkers/language_server.h"
#include "edits/plan/report.h"

namespace bodkin {

struct CargoProblems {
  std::map<std::string, FileProblems> problems;  // by absolute path
  // Else not everything was compiled: what depends on something that failed is not.
  bool succeeded = false;
  std::set<std::string> compiled;   // the files that the compiler has read, absolute
  std::set<std::string> manifests;  // of the packages that were compiled or need not be
};

// Runs `cargo check`, or `cargo build` if it `generates`, on the view of a folder; what it writes
// is lost. Blocks; some seconds, since it rebuilds each time. Error, the end of a sentence for
// the user: cancelled; unavailable (cargo or a sandbox is missing, the packages cannot be resolved
// offline, …).
Result<CargoProblems> cargo_check(const SandboxFolder& view,
                                  const std::vector<ChangedFile>& changed, bool generates,
                                  const std::stop_token& stop);

}  // namespace bodkin
