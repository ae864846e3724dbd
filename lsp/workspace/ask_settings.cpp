#include "lsp/workspace/ask_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "agent/sandbox/shell.h"
#include "agent/support/state_folder.h"
#include "agent/tools/mcp_settings.h"

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

Limits limits_of(const Settings& settings, bool trusted, const Roots& roots, const Shared& shared) {
  Limits limits;
  limits.max_turns = settings.count("agent.maxTurns");
  limits.max_repairs = settings.count("agent.maxRepairs");
  limits.max_tokens = settings.count("agent.maxTokens");
  limits.max_cost_usd = settings.number("agent.maxCostUsd");
  limits.max_cost_usd_per_day = settings.number("agent.maxCostUsdPerDay");
  limits.window = static_cast<int64_t>(settings.number("agent.contextWindow"));
  const auto kept = [state = state_folder()](const char* name) {
    return state.empty() ? std::string() : (state / name).string();
  };
  limits.grants = std::make_shared<Grants>(kept("permissions.json"), roots);
  limits.day = std::make_shared<DaySpending>(kept("spending.json"));
  limits.max_minutes = settings.number("agent.maxMinutes");
  limits.permissions = settings.permissions();
  limits.way_to_trust = "bodkin trust changes that";
  if (trusted) {  // else the model is offered no commands
    limits.shell = std::make_shared<Shell>(
        Shell{sandbox_settings(settings),
              std::chrono::milliseconds(settings.count("agent.commandTimeoutMs")), shared.consent});
    std::vector<McpServer> servers =
        mcp_settings(settings.value("agent.mcpServers"), settings.list("model.insecureHosts"))
            .servers;
    servers.insert(servers.end(), shared.more_servers.begin(), shared.more_servers.end());
    shared.mcp->configure(servers);
    if (!shared.mcp->is_empty()) limits.mcp = shared.mcp;
  }
  shared.checker->configure(checker_settings(settings, trusted));
  limits.checker = shared.checker;
  return limits;
}

std::unique_ptr<Verifier> verifier_of(const Settings& settings, bool trusted, Editor* editor,
                                      std::shared_ptr<UnconfinedConsent> consent) {
  auto command = settings.list("verify.command");
  // A check that was wanted is not left out because of how it is written.
  if (!settings.is_valid("verify.command"))
    return std::make_unique<WithheldVerifier>(
        "bodkin.verify.command", "it must be a list of strings, for example [\"make\", \"test\"]");
  if (command.empty()) return nullptr;
  if (!trusted) {
    return std::make_unique<WithheldVerifier>(fmt::format("{}", fmt::join(command, " ")),
                                              "this folder is not trusted");
  }
  CommandCheck check;
  check.command = std::move(command);
  check.timeout = std::chrono::milliseconds(settings.count("verify.commandTimeoutMs"));
  check.sandbox = sandbox_settings(settings);
  return std::make_unique<CommandVerifier>(std::move(check), editor, std::move(consent));
}

HistoryLimits history_limits(const Settings& settings) {
  return {.days = settings.number("history.retentionDays"),
          .bytes = static_cast<int64_t>(settings.number("history.maxMegabytes") * 1'000'000)};
}

}  // namespace bodkin::lsp
