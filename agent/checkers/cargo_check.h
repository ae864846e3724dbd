// cargo_check: what the Rust compiler says of a folder, in the sandbox.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "agent/checkers/language_server.h"
#include "edits/plan/report.h"

namespace bodkin {

// Runs `cargo check` on the view of a folder; what it writes is lost. Blocks; some seconds, since
// it builds anew each time. By absolute path. Error, the end of a sentence for the user: cancelled;
// unavailable (cargo or a sandbox is missing, the packages cannot be resolved offline, …).
Result<std::map<std::string, FileProblems>> cargo_check(const SandboxFolder& view,
                                                        const std::vector<ChangedFile>& changed,
                                                        const std::stop_token& stop);

}  // namespace bodkin
