// SecondModel: requests to the model that finishes sketches, within an ask. They count towards its
// limits and its usage, and end when it is cancelled. On the ask's thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/ask/draft_model.h"

namespace bodkin {

class SecondModel {
 public:
  // All outlive this. `own`: may be null. `redacted` is called before each request, with the number
  // of secrets that were found in it.
  SecondModel(Model& main, const DraftModel* own, const Limits& limits, Spent& spent,
              Conversation& conversation, std::function<void(size_t)> redacted)
      : main_(main),
        own_(own),
        limits_(limits),
        spent_(spent),
        conversation_(conversation),
        redacted_(std::move(redacted)) {}

  // The text of its answer. Error, for the model that waits for it: cancelled, unavailable (there
  // is none, a limit is reached, the provider failed), invalid_input (it refused, or was cut off).
  Result<std::string> ask(const std::vector<Message>& messages, const Task& task);

 private:
  Model& main_;
  const DraftModel* own_;
  const Limits& limits_;
  Spent& spent_;
  Conversation& conversation_;
  std::function<void(size_t)> redacted_;
};

}  // namespace bodkin
