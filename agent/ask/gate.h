// Gate: checks an ask's actions against the user's permissions. One per ask, on its thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "edits/apply/apply.h"

namespace bodkin {

class Gate {
 public:
  // All outlive the gate; if `editor` is null, nobody can be asked.
  Gate(const Limits& limits, Conversation& conversation, Editor* editor)
      : limits_(limits), conversation_(conversation), editor_(editor) {}
  // Tells whether commands are kept from the network and from everything but the draft. May block.
  void set_confined(std::function<bool()> is_confined) { is_confined_ = std::move(is_confined); }

  // Until this is reset, actions are the user's own, and only a rule that denies stops them.
  void set_acts_for_user(bool acts) { acts_for_user_ = acts; }

  // Fails unless the model may do this. Asks the user if a rule says so, and waits. Error, for the
  // model: invalid_input (a rule or the mode denies it, or the user did and said why), unavailable
  // (nobody can be asked), cancelled (the user said no, or the ask is stopped). Its first line is
  // for the user, too.
  Result<void> admit(const Permission& permission, const Task& task);
  // The same for all files that an edit changes, as one question, with their diffs. `asks`: if
  // false, only checks whether a rule denies it.
  Result<void> admit_edit(const std::vector<ChangedFile>& files, Workspace& workspace,
                          const Task& task, bool asks = true);

  // Whether any file may be read without asking: reports may quote them.
  bool reads_freely() const;

  std::chrono::steady_clock::duration waited() const { return waited_; }  // for the user, in all
  bool was_rejected() const { return rejected_; }  // by the user, without a reason: the ask ends
  bool only_plans() const { return only_plans_; }  // an edit was denied by the mode plan

 private:
  struct Ruling {
    Access access;
    std::string grant;  // what the user can allow for longer, and so need not be asked again
  };
  Result<Ruling> judge(const std::string& kind, const std::string& subject,
                       const std::string& version, const std::string& title);
  Result<void> ask(Permission permission, const std::vector<std::string>& grants, const Task& task);
  bool is_granted(const std::string& grant) const;
  Mode mode() const { return limits_.mode ? limits_.mode->load() : Mode::confirm; }

  const Limits& limits_;
  Conversation& conversation_;
  Editor* editor_;
  std::chrono::steady_clock::duration waited_{};
  bool rejected_ = false, only_plans_ = false, acts_for_user_ = false;
  std::function<bool()> is_confined_;  // empty: they are not
};

}  // namespace bodkin
