// Chooses what a model is told when two edits in a row could not be placed, so that it does not
// hear the same advice again. By what was wrong with the last one:
//   it fits several places       the numbers of its lines
//   it fits none, or its file    the file's exact current lines
//   was not read
//   it cannot be parsed, or its  another form to write it in: SEARCH/REPLACE blocks, or the whole
//   file is not there            file for a model that was taught these
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agent/context/edit_format.h"
#include "agent/context/prompt.h"
#include "agent/loop/call_runner.h"

namespace bodkin {

struct FallbackAdvice {
  std::string told;                    // for the model
  std::string sentence;                // for the user
  std::vector<ShownFile> shown;        // files that `told` shows all of
  const EditFormat* taught = nullptr;  // that `told` teaches; null: none
};

// `taught`: what the system prompt teaches; null: edits are tool calls. `calls`: is made to offer
// a tool that `told` names. `shown`: the draft, redacted; `gate`: is asked before a file of it is
// shown, and if the user refuses, nothing is to be told.
FallbackAdvice fallback_advice(std::span<const Unplaced> unplaced, const Profile& profile,
                               const EditFormat* taught, CallRunner& calls, Gate& gate,
                               Workspace& shown, const Task& task);

}  // namespace bodkin
