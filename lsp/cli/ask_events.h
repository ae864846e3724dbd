// The events of `bodkin ask --json`, one object a line (lsp/README.md, "Command line").
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "edits/plan/report.h"

namespace bodkin {

nlohmann::json event_of(const Progress& progress);
// `written`: the files were. `spent`: by the ask alone. `session`, `proposal`: their ids in the
// history; empty: they are not there.
nlohmann::json end_event(const Outcome& outcome, const std::vector<ChangedFile>& files,
                         const std::string& session, const Spent& spent, bool written,
                         const std::string& proposal);

void print_event(const nlohmann::json& event);  // on standard output

}  // namespace bodkin
