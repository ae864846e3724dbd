// The events of `bodkin ask --json`, one object a line:
//
//   {"event": "text|thought|step|plan", "text"}
//   {"event": "result", "text", "failed", "files": [{"path", "added", "removed"}]} after each call
//   {"event": "end", "session", "end": "answer|proposal|limit|refused|cancelled|failed", "answer",
//    "reason", "partial", "notes", "checked", "check", "turns", "input_tokens", "output_tokens",
//    "cost_usd", "written", "proposal", "undo", "redo", "files": [{"path", "state", "to"?,
//    "diff"}]}
//
// "proposal" is its id in the history, "undo" the command that undoes what was written, "redo" the
// one that writes what was not, or null; "reason": why the ask ended or nothing was written;
// "check" is the object of `bodkin verify --json`, or null if nothing was checked.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "edits/plan/report.h"

namespace bodkin {

class AskScreen;

nlohmann::json event_of(const Progress& progress);
// `written`: whether the files were. `spent`: by the ask alone. `session`, `proposal`: their ids in
// the history; empty: they are not there.
nlohmann::json end_event(const Outcome& outcome, const std::vector<ChangedFile>& files,
                         const std::string& session, const Spent& spent, bool written,
                         const std::string& proposal);

void print_event(const nlohmann::json& event);  // on standard output

// Without --json: prints the part of the answer that the screen has not shown. Next to a diff, or
// if the ask failed, it is not the result, and goes to standard error.
void print_answer(const Outcome& outcome, const AskScreen& screen);

}  // namespace bodkin
