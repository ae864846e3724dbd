#include "lsp/workspace/ask_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "agent/platform/paths.h"
#include "agent/sandbox/shell.h"
#include "agent/support/user_folders.h"
#include "agent/tools/mcp_settings.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

namespace {

class WithheldVerifier : public Verifier {
 public:
  WithheldVerifier(std::string by, std::string reason)
      : by_(std::move(by)), reason_(std::move(reason)) {}
  Verdict verify(Workspace&, Workspace&, const Task&) override {
    Verdict verdict;
    verdict.by = by_;
    verdict.reason = reason_;
    return verdict;
  }

 private:
  std::string by_, reason_;
};

SandboxSettings sandbox_settings(const Settings& settings) {
  return {.network = settings.text("sandbox.network") == "on",
          .readable = settings.list("sandbox.readable"),
          .caches = settings.list("sandbox.caches"),
          .environment = settings.list("sandbox.environment")};
}

}  // namespace

CheckerSettings checker_settings(const Settings& settings, bool trusted) {
  return {.servers = settings.servers(),
          .timeout = std::chrono::milliseconds(settings.count("verify.serverTimeoutMs")),
          .trusted = trusted,
          .readable = settings.list("sandbox.readable")};
}

AskRules::AskRules(const Settings& settings, std::function<void(const std::string&)> told)
    : settings_(settings), mcp_(std::make_shared<Mcp>(std::move(told))) {
  settings_changed();
}

void AskRules::settings_changed() {
  set_mode(mode_named(settings_.text("agent.mode")).value_or(Mode::confirm));
}

bool AskRules::applies_at_once() const {
  return mode() == Mode::automatic ||
         (mode() == Mode::confirm && settings_.text("edits.review") == "direct");
}

void AskRules::complete(AskRequest& request) const {
  if (request.profile.empty())
    request.profile = mode() == Mode::plan ? "plan" : settings_.text("agent.profile");
  if (request.dialect.empty()) request.dialect = settings_.text("agent.dialect");
  if (request.edit_format.empty()) request.edit_format = settings_.text("agent.editFormat");
  if (request.effort.empty()) request.effort = settings_.text("model.effort");
}

AskSetup AskRules::set_up(bool trusted, const Roots& roots, Editor* editor) const {
  return {.model = model_settings(settings_),
          .draft_model = draft_model_settings(settings_),
          .title_model = small_model_settings(settings_),
          .limits = limits(trusted, roots),
          .verifier = verifier(trusted, editor)};
}

std::shared_ptr<DraftChecker> AskRules::checker(bool trusted) const {
  checker_->configure(checker_settings(settings_, trusted));
  return checker_;
}

Limits AskRules::limits(bool trusted, const Roots& roots) const {
  Limits limits;
  limits.max_turns = settings_.count("agent.maxTurns");
  limits.max_repairs = settings_.count("agent.maxRepairs");
  limits.max_tokens = settings_.count("agent.maxTokens");
  limits.max_cost_usd = settings_.number("agent.maxCostUsd");
  limits.max_cost_usd_per_day = settings_.number("agent.maxCostUsdPerDay");
  limits.window = static_cast<int64_t>(settings_.number("agent.contextWindow"));
  const auto kept = [state = state_folder()](const char* name) {
    return state.empty() ? std::string() : os::text_of(state / name);
  };
  limits.grants = std::make_shared<Grants>(kept("permissions.json"), roots);
  limits.day = std::make_shared<DaySpending>(kept("spending.json"));
  limits.max_minutes = settings_.number("agent.maxMinutes");
  limits.permissions = settings_.permissions();
  limits.way_to_trust = "bodkin trust changes that";
  if (trusted) {  // else the model is offered no commands
    limits.shell = std::make_shared<Shell>(
        Shell{sandbox_settings(settings_),
              std::chrono::milliseconds(settings_.count("agent.commandTimeoutMs")), consent_});
    std::vector<McpServer> servers =
        mcp_settings(settings_.value("agent.mcpServers"), settings_.list("model.insecureHosts"))
            .servers;
    servers.insert(servers.end(), more_servers_.begin(), more_servers_.end());
    mcp_->configure(servers);
    if (!mcp_->is_empty()) limits.mcp = mcp_;
  }
  limits.checker = checker(trusted);
  limits.mode = mode_;
  return limits;
}

// Runs verify.command; in a folder that is not trusted, or if the setting is not a command, it only
// says that it does not. Null: there is no such command.
std::unique_ptr<Verifier> AskRules::verifier(bool trusted, Editor* editor) const {
  auto command = settings_.list("verify.command");
  // A check that was wanted is not left out because of how it is written.
  if (!settings_.is_valid("verify.command"))
    return std::make_unique<WithheldVerifier>(
        "bodkin.verify.command", "it must be a list of strings, for example [\"make\", \"test\"]");
  if (command.empty()) return nullptr;
  if (!trusted) {
    return std::make_unique<WithheldVerifier>(fmt::format("{}", fmt::join(command, " ")),
                                              "this folder is not trusted");
  }
  CommandCheck check;
  check.command = std::move(command);
  check.timeout = std::chrono::milliseconds(settings_.count("verify.commandTimeoutMs"));
  check.sandbox = sandbox_settings(settings_);
  return std::make_unique<CommandVerifier>(std::move(check), editor, consent_);
}

HistoryLimits history_limits(const Settings& settings) {
  return {.days = settings.number("history.retentionDays"),
          .bytes = static_cast<int64_t>(settings.number("history.maxMegabytes") * 1'000'000)};
}

}  // namespace bodkin::lsp
