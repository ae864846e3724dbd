// Ending: the checks before an ask ends, and the draft's part of the outcome. On the ask's thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/sandbox/verifier.h"

namespace bodkin {

struct AskState;

class Ending {
 public:
  explicit Ending(AskState& state) : state_(state) {}  // outlives this

  // Returns what the model is told to repair: new syntax errors, else new errors that language
  // servers find, else the failure of the user's own command. Nullopt: the ask may end, since
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
  std::shared_ptr<EarlyDraft> report_draft() const;
  std::optional<std::string> repair_errors(bool may_repair, bool is_human);

  AskState& state_;
  int repairs_ = 0;
  size_t new_errors_ = 0;             // that the servers found last
  Verdict verdict_;                   // of the draft as it was
  std::optional<CheckResult> check_;  // likewise
};

}  // namespace bodkin
