// A turn in the mode `human`: the user's edits or command take the place of a reply. The model is
// told in the conversation, if it is asked again. On the ask's thread.
#pragma once

#include <string>

#include "agent/placing/placing.h"
#include "agent/tools/tools.h"

namespace bodkin {

struct UserTurn {
  enum class State { goes_on, done, cancelled, failed };
  State state = State::goes_on;
  std::string reason = {};  // cancelled, failed: a sentence for the user
};

// Blocks until the user has said something and it is carried out. `bench.editor` may be null.
UserTurn take_user_turn(Placer& placer, ToolBench& bench, const Task& task);

}  // namespace bodkin
