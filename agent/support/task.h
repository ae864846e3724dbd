// Task: the last parameter of everything that takes long: its stop token and progress reports.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bodkin {

// The result of a tool call, a command or the edits in a reply's text, for the user.
struct Step {
  struct File {
    enum class Change { edited, created, removed };
    std::string path, moved_to;  // moved_to: empty, unless it has a new path now
    Change change = Change::edited;
    size_t added = 0, removed = 0;  // lines
    std::string diff;               // unified; truncated if it is long
    // Why each edit is where it is (edits/align/bill.h), a line each: for the log.
    std::vector<std::string> bills;
  };
  struct Call {
    std::string id;                         // empty: the step is no tool call
    std::string reason, arguments, result;  // reason: the model's, if any; arguments: JSON
  };
  struct Command {
    int exit_code = 0;
    std::string output;  // its last lines, may be empty
  };
  std::string tool;  // the tool's name as the model called it; empty: edits in the reply's text
  std::chrono::milliseconds time{};
  bool failed = false;
  std::string reason;       // if it failed: one line; may be empty
  std::vector<File> files;  // that it changed in the draft
  Call call = {};
  std::optional<Command> command = {};  // of a command that ended by itself
};

struct EarlyDraft;   // agent/ask/ask.h
struct WrittenEdit;  // agent/replies/written_edit.h

struct Progress {
  // editing: the reply has edits; verifying: the draft is checked; waiting: for the user
  // plan: the whole plan that the ask has ended with; step: a step has ended; note: what went wrong
  // and what is done about it; draft: a check of the draft begins, or has found what the model is
  // to repair, or (with `writing`) the reply writes lines of an edit
  enum class Kind {
    text,
    thought,
    tool,
    status,
    editing,
    verifying,
    waiting,
    plan,
    step,
    note,
    draft
  };
  Kind kind = Kind::status;
  std::string text;  // text, thought: a delta; all others: one line for the user
  std::shared_ptr<const Step> step = nullptr;            // of kind step
  std::shared_ptr<EarlyDraft> draft = nullptr;           // of kind draft
  std::shared_ptr<const WrittenEdit> writing = nullptr;  // of kind draft without one
};

struct Task {
  std::stop_token stop;
  std::function<void(const Progress&)> report;  // may be called on the caller's thread only
};

}  // namespace bodkin
