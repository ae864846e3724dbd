#include "agent/ask/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/ask/step.h"

namespace bodkin {

namespace {

constexpr size_t kMaxShown = 60'000;  // bytes of the diffs of one question
constexpr char kNobody[] = "nobody can be asked (bodkin.agent.permissions)";

std::string words_of(const Step::File& file) {
  const std::string& path = file.moved_to.empty() ? file.path : file.moved_to;
  return fmt::format("{} (+{} −{})", path, file.added, file.removed);
}

}  // namespace

Result<Decision> Editor::permit(const Permission&, const Task&) {
  return fail(Error::Code::unavailable, kNobody);
}

Result<std::string> Editor::ask_words(const std::string&, const Task&) {
  return fail(Error::Code::unavailable, "Mode \"human\" needs an editor that can ask for input.");
}

// A grant covers everything the rule covers; for `run` and `mcp` only this exact subject.
Result<Gate::Ruling> Gate::judge(const std::string& kind, const std::string& subject,
                                 const std::string& version, const std::string& title) {
  const AccessRule rule = limits_.permissions.rule_for(kind, subject);
  if (rule.access == Access::deny) {
    return fail(Error::Code::invalid_input,
                title + " is not allowed: " +
                    (rule.problem.empty() ? "bodkin.agent.permissions denies it." : rule.problem));
  }
  if (kind == "edit" && mode() == Mode::plan) {
    only_plans_ = true;
    return fail_with_advice(
        Error::Code::invalid_input, title + " is not allowed in the mode plan.",
        "The user has switched to it. Change nothing; end with the plan of what "
        "is left to do.");
  }
  const bool is_action = kind == "run" || kind == "mcp";
  std::string grant = kind + " " + (is_action ? subject + version : rule.pattern);
  const bool has_rule = !rule.pattern.empty();
  const bool is_free =
      rule.access == Access::allow || acts_for_user_ ||
      (kind == "run" && mode() == Mode::automatic && !has_rule && is_confined_ && is_confined_());
  return Ruling{is_free || is_granted(grant) ? Access::allow : Access::ask, std::move(grant)};
}

bool Gate::is_granted(const std::string& grant) const {
  return conversation_.granted.contains(grant) || (limits_.grants && limits_.grants->holds(grant));
}

bool Gate::reads_freely() const {
  if (acts_for_user_) return true;
  const AccessRule rule = limits_.permissions.rule_for("read", "");
  return rule.access == Access::allow ||
         (rule.access == Access::ask && is_granted("read " + rule.pattern));
}

Result<void> Gate::ask(Permission permission, const std::vector<std::string>& grants,
                       const Task& task) {
  if (!rejected_) {
    const bool can_keep = limits_.grants && std::ranges::all_of(grants, [&](const auto& grant) {
                            return limits_.grants->can_keep(grant);
                          });
    permission.longest = can_keep ? Decision::workspace : Decision::session;
    if (task.report)
      task.report({Progress::Kind::waiting, "Waiting for permission: " + permission.title});
    permission.is_confined = permission.kind == "run" && is_confined_ && is_confined_();
    if (can_keep) permission.kept_in = limits_.grants->file();
    const auto asked = std::chrono::steady_clock::now();
    const auto decision =
        editor_ ? editor_->permit(permission, task) : fail(Error::Code::unavailable, kNobody);
    waited_ += std::chrono::steady_clock::now() - asked;
    if (!decision && decision.error().code == Error::Code::unavailable)
      return fail_with_advice(
          Error::Code::unavailable,
          permission.title + " is not allowed: " + decision.error().message + ".",
          "Go on without it.");
    if (!decision) return std::unexpected(decision.error());
    for (const std::string& grant : grants) {
      if (decision->choice == Decision::session || decision->choice == Decision::workspace)
        conversation_.granted.insert(grant);
      if (decision->choice != Decision::workspace || !can_keep) continue;
      const auto kept = limits_.grants->add(grant);
      if (!kept && task.report)
        task.report(
            {Progress::Kind::status, "Allowed for this session only. " + kept.error().message});
    }
    if (decision->allows()) {
      if (task.report) task.report({Progress::Kind::status, permission.title});
      return {};
    }
    if (!decision->reason.empty()) {
      return fail_with_advice(
          Error::Code::invalid_input,
          "Permission denied: " + permission.title + ". Reason: " + decision->reason,
          "The user said so; go on in a way that respects it.");
    }
  }
  rejected_ = true;
  return fail(Error::Code::cancelled, "Permission denied: " + permission.title + ".");
}

// Decides: when the user is asked for a permission.
Result<void> Gate::admit(const Permission& permission, const Task& task) {
  const auto verdict =
      judge(permission.kind, permission.subject, permission.version, permission.title);
  if (!verdict) return std::unexpected(verdict.error());
  return verdict->access == Access::allow ? Result<void>()
                                          : ask(permission, {verdict->grant}, task);
}

Result<void> Gate::admit_edit(const std::vector<ChangedFile>& files, Workspace& workspace,
                              const Task& task, bool asks) {
  std::vector<std::string> grants, words;
  Permission permission{"edit", "", "", ""};
  for (const ChangedFile& file : files) {
    const std::string& now = file.last_path();
    const std::string verb = !file.before ? "Creating " : !file.after ? "Removing " : "Editing ";
    bool must_ask = false;
    // Rules apply to its old name, its new name, and link targets.
    std::vector<std::string> names{file.path};
    if (now != file.path) names.push_back(now);
    for (const std::string& path : names) {
      const auto target = workspace.edit_target(path, true, task);
      for (const std::string& subject : {path, target ? target->path : path}) {
        auto verdict = judge("edit", subject, "", verb + subject);
        if (!verdict) return std::unexpected(verdict.error());
        if (verdict->access == Access::allow) continue;
        must_ask = true;
        if (std::ranges::find(grants, verdict->grant) == grants.end())
          grants.push_back(std::move(verdict->grant));
      }
    }
    if (!must_ask || !asks) continue;
    const Step::File shown = step_files({file})[0];
    words.push_back((words.empty() ? verb : "") + words_of(shown));
    if (permission.subject.empty()) permission.subject = now;
    if (permission.detail.size() < kMaxShown) {
      permission.detail += shown.diff;
    } else if (!permission.detail.ends_with("…")) {
      permission.detail += "\n…";
    }
  }
  if (words.empty()) return {};
  permission.title = words[0];
  if (words.size() == 2) permission.title += " and " + words[1];
  if (words.size() > 2) {
    permission.title += fmt::format(", {} and {} more", words[1], words.size() - 2);
  }
  return ask(std::move(permission), grants, task);
}

}  // namespace bodkin
