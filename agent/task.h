// Task: the last parameter of all long work. It can be stopped, and it reports.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace bodkin {

struct Progress {
  enum class Kind { text, thought, tool, status };
  Kind kind = Kind::status;
  std::string text;  // text, thought: a delta; tool, status: one line for the person
};

struct Task {
  std::stop_token stop;
  std::function<void(const Progress&)> report;  // may be called on the caller's thread only
};

}  // namespace bodkin
