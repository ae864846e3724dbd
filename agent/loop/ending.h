// Ending: the checks before an ask ends, and the draft's part of the outcome. On the ask's thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/checkers/draft_checker.h"
#include "agent/placing/placing.h"
#include "agent/sandbox/verifier.h"
#include "agent/tools/command_changes.h"

namespace bodkin {

class Ending {
 public:
  // All outlive this. `checker` and `verifier` may be null. `shown`: the draft as the model sees
  // it. `left` and `unread`: see CommandFiles and EditContext.
  Ending(const Ask& ask, Draft& draft, GuardedWorkspace& guard, Workspace& shown, const Gate& gate,
         const Syntax& syntax, DraftChecker* checker, Verifier* verifier, int max_repairs,
         const CommandFiles& left, const std::set<std::string, std::less<>>& unread,
         const Task& task)
      : ask_(ask),
        draft_(draft),
        guard_(guard),
        shown_(shown),
        gate_(gate),
        syntax_(syntax),
        checker_(checker),
        verifier_(verifier),
        max_repairs_(max_repairs),
        left_(left),
        unread_(unread),
        task_(task) {}

  // Returns what the model is told to repair: new syntax errors, else new errors that language
  // servers find, else the failure of the user's own command. Nothing: the ask may end, since
  // nothing was found, or the model was told max_repairs times or could not make the servers'
  // errors fewer, or the ask is stopped. Blocks. `is_human`: the user repairs it, and is told all
  // of it.
  std::optional<std::string> repair(bool is_human);

  // Fills in all that is of the draft. `outcome` has its end, reason and answer.
  void complete(Outcome& outcome) const;

 private:
  std::vector<ChangedFile> changed_files() const;
  std::string errors_in_words(std::span<const CheckedProblem> problems) const;
  void add_notes(Outcome& outcome) const;
  void report(std::string note) const;
  std::shared_ptr<EarlyDraft> report_draft() const;
  std::optional<std::string> repair_errors(bool may_repair, bool is_human);

  const Ask& ask_;
  Draft& draft_;
  GuardedWorkspace& guard_;
  Workspace& shown_;
  const Gate& gate_;
  const Syntax& syntax_;
  DraftChecker* checker_;
  Verifier* verifier_;
  const int max_repairs_;
  const CommandFiles& left_;
  const std::set<std::string, std::less<>>& unread_;
  const Task& task_;
  int repairs_ = 0;
  size_t new_errors_ = 0;             // that the servers found last
  Verdict verdict_;                   // of the draft as it was
  std::optional<CheckResult> check_;  // likewise
};

}  // namespace bodkin
