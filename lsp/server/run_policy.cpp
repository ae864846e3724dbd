#include "lsp/server/run_policy.h"

#include <fmt/format.h>

#include "agent/sandbox/shell.h"
#include "agent/support/shown_text.h"

namespace bodkin::lsp {

namespace {

class WithheldVerifier : public Verifier {
 public:
  explicit WithheldVerifier(std::string by) : by_(std::move(by)) {}
  Verdict verify(Workspace&, Workspace&, const Task&) override {
    Verdict verdict;
    verdict.by = by_;
    verdict.reason = "this folder is not trusted";
    return verdict;
  }

 private:
  std::string by_;
};

SandboxSettings sandbox_settings(const Settings& settings) {
  return {.network = settings.text("sandbox.network") == "on",
          .readable = settings.list("sandbox.readable"),
          .caches = settings.list("sandbox.caches"),
          .environment = settings.list("sandbox.environment")};
}

}  // namespace

RunPolicy::RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust,
                     Client& client)
    : settings_(settings), trust_(trust), client_(client) {
  mcp_ = std::make_shared<Mcp>([this, &loop](const std::string& sentence) {
    loop.post(
        [this, sentence] { client_.say(MessageType::warning, "bodkin: " + plain_line(sentence)); });
  });
}

Limits RunPolicy::limits() {
  Limits limits;
  limits.max_turns = settings_.count("agent.maxTurns");
  limits.max_repairs = settings_.count("agent.maxRepairs");
  limits.max_tokens = settings_.count("agent.maxTokens");
  limits.max_cost_usd = settings_.number("agent.maxCostUsd");
  limits.max_minutes = settings_.number("agent.maxMinutes");
  limits.permissions = settings_.permissions();
  if (trust_.is_trusted()) {  // else the model is offered no commands
    limits.shell = std::make_shared<Shell>(
        Shell{sandbox_settings(settings_),
              std::chrono::milliseconds(settings_.count("agent.commandTimeoutMs")), consent_});
    mcp_->configure(mcp_settings(settings_.value("agent.mcpServers")).servers);
    if (!mcp_->is_empty()) limits.mcp = mcp_;
  }
  return limits;
}

std::unique_ptr<Verifier> RunPolicy::make_verifier(Editor* editor) {
  auto command = settings_.list("verify.command");
  if (command.empty()) return nullptr;
  if (!trust_.is_trusted()) {
    report_withheld();
    return std::make_unique<WithheldVerifier>(fmt::format("{}", fmt::join(command, " ")));
  }
  CommandCheck check;
  check.command = std::move(command);
  check.timeout = std::chrono::milliseconds(settings_.count("verify.commandTimeoutMs"));
  check.sandbox = sandbox_settings(settings_);
  return std::make_unique<CommandVerifier>(std::move(check), editor, consent_);
}

bool RunPolicy::may_apply_at_once() {
  if (settings_.text("edits.review") != "direct") return false;
  if (!trust_.is_trusted()) report_withheld();
  return trust_.is_trusted();
}

void RunPolicy::report_withheld() {
  const bool has_command = !settings_.list("verify.command").empty();
  const bool is_direct = settings_.text("edits.review") == "direct";
  const char* what = !is_direct ? "verify.command does not run"
                     : !has_command
                         ? "every edit waits until you apply it"
                         : "verify.command does not run and every edit waits until you apply it";
  const std::string how =
      trust_.is_set_by_editor()
          ? "trust it in the editor (in Neovim: setup{trusted = …})"
          : "add it to bodkin.workspace.trusted in " + config_folder() +
                "/settings.json, or trust it in the editor (in Neovim: setup{trusted = …})";
  const std::string message =
      fmt::format("bodkin: this folder is not trusted, so {}; to change that, {}.", what, how);
  if (told_.insert(message).second) client_.say(MessageType::information, message);
}

}  // namespace bodkin::lsp
