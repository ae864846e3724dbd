// Verifier: what programs say of a draft before the person sees it (README, "How it works").
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "agent/workspace.h"

namespace bodkin {

// "Not checked" is never "clean": whatever kept a program from an answer is not_checked.
struct Verdict {
  enum class State { not_checked, passed, failed };
  State state = State::not_checked;
  std::string by;      // "make -j2"; empty: nobody was asked
  std::string reason;  // not_checked, failed: for the person, goes on after "Not checked: "
  std::string output;  // failed: the end of what the program wrote, for the model
};

class Verifier {
 public:
  virtual ~Verifier() = default;
  // Blocks. `base`: the files without the edits, which is asked too if `draft` fails: what is
  // broken anyway is not the edit's fault.
  virtual Verdict verify(Workspace& draft, Workspace& base, const Task& task) = 0;
};

// Runs the person's own command (bodkin.verify.command) in a scratch view (agent/scratch.h); exit
// code 0 is `passed`. The command runs the proposed code: that is what tests do.
class CommandVerifier : public Verifier {
 public:
  // `hidden_variable`: one of the environment that the command does not see (agent/process.h).
  CommandVerifier(std::vector<std::string> command, std::chrono::milliseconds timeout,
                  std::string hidden_variable = {})
      : command_(std::move(command)),
        timeout_(timeout),
        hidden_variable_(std::move(hidden_variable)) {}
  Verdict verify(Workspace& draft, Workspace& base, const Task& task) override;

 private:
  std::vector<std::string> command_;
  std::chrono::milliseconds timeout_;
  std::string hidden_variable_;
};

}  // namespace bodkin
