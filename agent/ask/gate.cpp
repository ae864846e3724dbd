#include "agent/ask/gate.h"

#include <algorithm>
#include <vector>

#include "agent/ask/step.h"

namespace bodkin {

Result<Decision> Editor::permit(const Permission&, const Task&) { return Decision::reject; }

Result<void> Gate::admit(const Permission& permission, const Task& task) {
  const AccessRule rule = permissions_.rule_for(permission.kind, permission.subject);
  // A session grant covers everything the rule covers; for `run` and `mcp` only this exact subject.
  const bool is_action = permission.kind == "run" || permission.kind == "mcp";
  const std::string what =
      permission.kind + " " + (is_action ? permission.subject + permission.version : rule.pattern);
  if (rule.access == Access::allow || conversation_.granted.contains(what)) return {};
  if (rule.access == Access::deny) {
    return fail(Error::Code::invalid_input,
                permission.title + " is not allowed: " +
                    (rule.problem.empty() ? "bodkin.agent.permissions denies it." : rule.problem));
  }
  if (!rejected_ && editor_) {
    if (task.report)
      task.report({Progress::Kind::waiting, "Waiting for permission: " + permission.title});
    const auto decision = editor_->permit(permission, task);
    if (!decision) return std::unexpected(decision.error());
    if (*decision == Decision::always) conversation_.granted.insert(what);
    if (task.report) task.report({Progress::Kind::status, permission.title});
    if (*decision != Decision::reject) return {};
  }
  rejected_ = true;
  return fail(Error::Code::cancelled, "The user did not allow it: " + permission.title + ".");
}

Result<void> Gate::admit_edit(const ApplyReport& report, Workspace& workspace, const Task& task) {
  for (const ChangedFile& file : report.files) {
    const std::string& now = file.rename_to.value_or(file.path);
    const std::string verb = !file.before ? "Creating " : !file.after ? "Removing " : "Editing ";
    // Rules apply to its old name, its new name, and link targets.
    std::vector<std::string> subjects;
    for (const std::string& path : {file.path, now}) {
      const auto target = workspace.edit_target(path, true, task);
      for (const std::string& each : {path, target ? target->path : path})
        if (std::ranges::find(subjects, each) == subjects.end()) subjects.push_back(each);
    }
    std::string diff;
    for (const std::string& path : subjects) {
      const bool is_asked = permissions_.rule_for("edit", path).access == Access::ask;
      if (is_asked && diff.empty()) diff = shown_diff(file);
      const auto allowed = admit({"edit", path, verb + path, is_asked ? diff : ""}, task);
      if (!allowed) return allowed;
    }
  }
  return {};
}

}  // namespace bodkin
