// The tools of one ask: what is offered, and what a call means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agent/tools/dialect.h"
#include "agent/tools/tools.h"

namespace bodkin {

// A call in our terms.
struct ResolvedCall {
  const Tool* tool = nullptr;  // null: `answer`
  nlohmann::json arguments;
  std::string answer, reason, says, notes;  // as OwnCall has them
  bool ends = false, observation = false, reads_first = true;
};
struct WrongCall {
  std::string told;    // for the model
  std::string reason;  // for the user
  bool edits = false;  // it would have been an edit
};

class ToolSet {
 public:
  ToolSet() = default;
  // `names`: our tools that the profile has. `dialect`: may be null. The bench outlives this.
  ToolSet(std::span<const std::string> names, const ToolDialect* dialect, ToolBench& bench);

  // Tools of others, which are offered last.
  void add(std::vector<Tool> tools);

  // Ours, minus those that the dialect replaces, plus the dialect's.
  const std::vector<ToolSpec>& offered() const { return offered_; }
  // Offers one of ours, from now on; false: the profile does not allow it.
  bool offer(std::string_view name);
  // A call of the chosen dialect; else of ours; else of the only dialect that it fits.
  std::expected<ResolvedCall, WrongCall> resolve(const ToolCall& call) const;
  // Whether a call of this name with these arguments, which are not JSON, may be an edit.
  bool may_edit(std::string_view name, std::string_view arguments) const;
  ToolOutcome run(const ResolvedCall& call, const Task& task) const;

 private:
  const Tool* own(std::string_view name) const;
  bool is_possible(const ForeignTool& tool) const;
  // Why a tool of ours is not here, for model and user, as a sentence.
  std::string why_missing(std::string_view name) const;
  WrongCall with_way(WrongCall wrong) const;
  bool may_edit(const ForeignTool& tool, std::string_view arguments) const;
  std::expected<ResolvedCall, WrongCall> resolve(const ToolDialect& dialect,
                                                 const ForeignTool& tool,
                                                 const nlohmann::json& arguments) const;
  std::expected<ResolvedCall, WrongCall> resolve(const Tool& tool, nlohmann::json arguments) const;

  std::vector<std::string> names_;
  std::vector<Tool> tools_;  // all that the profile allows, under our names
  const ToolDialect* dialect_ = nullptr;
  ToolBench* bench_ = nullptr;
  std::vector<ToolSpec> offered_;
};

}  // namespace bodkin
