// Asks a project's own linter about the lines that a draft changes: ruff and eslint, where the
// project configures them. Their findings are shown, and never decide.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "agent/ask/verdict.h"
#include "edits/plan/report.h"

namespace bodkin {

// `root`: absolute, of the paths. `may_run`: the folder's own programs; eslint's configuration is
// one. Blocks, at most for some seconds. A linter that fails reports nothing. Any thread.
std::vector<CheckedProblem> linted(const std::vector<ChangedFile>& files, const std::string& root,
                                   bool may_run, const std::stop_token& stop);

}  // namespace bodkin
