// Steps: reports to the user when a tool call, a command or the edits in a reply's text are done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/support/task.h"
#include "edits/apply/apply.h"

namespace bodkin {

std::vector<Step::File> step_files(const std::vector<ChangedFile>& changes);

// One line: "a.cpp +2 −1, b.cpp (new) +40 −0, 0.1 s"; without files "grep_search, 0.1 s";
// "edit failed, 0.1 s: its reason".
std::string words_of(const Step& step);

// Reports a step that began at `begun` and has changed these files. `reason`: why it failed, for
// the user; only its first line is shown.
void report_step(const Task& task, std::string tool, std::chrono::steady_clock::time_point begun,
                 bool failed, const std::vector<ChangedFile>& changes, std::string_view reason = {},
                 Step::Call call = {}, std::optional<Step::Command> command = {});

}  // namespace bodkin
