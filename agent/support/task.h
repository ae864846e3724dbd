// Task: the last parameter of everything that takes long: its stop token and progress reports.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace bodkin {

struct Progress {
  // editing: the reply has edits; verifying: the draft is checked; waiting: for the user
  // plan: the whole plan that the ask has ended with
  enum class Kind { text, thought, tool, status, editing, verifying, waiting, plan };
  Kind kind = Kind::status;
  std::string text;  // text, thought: a delta; all others: one line for the user
};

struct Task {
  std::stop_token stop;
  std::function<void(const Progress&)> report;  // may be called on the caller's thread only
};

}  // namespace bodkin
