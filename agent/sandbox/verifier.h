// Verifier: checks a draft with a program before the user sees it
// (.github/ARCHITECTURE.md, "The life of an ask").
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/ask/verdict.h"
#include "agent/sandbox/sandbox.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

class Verifier {
 public:
  virtual ~Verifier() = default;
  // Blocks. `base`: the files without the edits; checked too if `draft` fails, since what was
  // already broken is not the edit's fault.
  virtual Verdict verify(Workspace& draft, Workspace& base, const Task& task) = 0;
};

// Whether a command may run without a sandbox. The user is asked once for each command, since what
// it could do depends on it; the answer holds as long as the object, unless it was "once". Any
// thread.
class UnconfinedConsent {
 public:
  // The answer is no if `editor` is null. Error: cancelled.
  Result<bool> ask(Editor* editor, const std::string& command, const Task& task);

 private:
  std::mutex mutex_;
  std::condition_variable_any answered_;
  bool is_asking_ = false;
  std::map<std::string, bool, std::less<>> answers_;  // by command
};

struct CommandCheck {
  std::vector<std::string> command;  // the program first; no shell
  std::chrono::milliseconds timeout{60'000};
  SandboxSettings sandbox = {};
};

// Runs the user's own command (bodkin.verify.command) on the draft in a sandbox; exit code 0 is
// `passed`. The command runs the proposed code, as tests do.
class CommandVerifier : public Verifier {
 public:
  // `editor` may be null, and outlives the object.
  CommandVerifier(CommandCheck check, Editor* editor, std::shared_ptr<UnconfinedConsent> consent)
      : check_(std::move(check)), editor_(editor), consent_(std::move(consent)) {}
  Verdict verify(Workspace& draft, Workspace& base, const Task& task) override;

 private:
  CommandCheck check_;
  Editor* editor_;
  std::shared_ptr<UnconfinedConsent> consent_;
};

}  // namespace bodkin
