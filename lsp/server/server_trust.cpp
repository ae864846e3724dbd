// What is withheld in a folder that the person does not trust (README, "Trust"), and how they hear
// of it.
#include <fmt/format.h>

#include "agent/sandbox/verifier.h"
#include "agent/support/program.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/server.h"

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

}  // namespace

void Server::register_trust() {
  connection_.on_notification(kDidChangeTrust, [this](const Json& params) {
    const Json& trusted = member(params, "trusted");
    if (!trusted.is_boolean()) {
      return log_.add(MessageType::warning,
                      std::string(kDidChangeTrust) + ": \"trusted\" must be true or false.");
    }
    trust_.set_said(trusted.get<bool>());
    look_at_folders();
  });
}

void Server::look_at_folders() {
  const bool before = trusted_;
  for (const Root& root : documents_.roots()) never_run_from(root.folder);
  trusted_ = trust_.covers(documents_.roots());
  if (before && !trusted_) {  // they may run what they were allowed to
    for (auto& [id, running] : running_)
      running.why_cancelled = "Cancelled, because the folder is no longer trusted.";
    asks_->cancel("");
  }
  indexer_.set_roots(documents_.roots(), trusted_);
}

std::unique_ptr<Verifier> Server::make_verifier() {
  auto command = settings_.list("verify.command");
  if (command.empty()) return nullptr;
  if (!trusted_) {
    tell_what_is_withheld();
    return std::make_unique<WithheldVerifier>(fmt::format("{}", fmt::join(command, " ")));
  }
  CommandCheck check;
  check.command = std::move(command);
  check.timeout = std::chrono::milliseconds(settings_.count("verify.commandTimeoutMs"));
  check.sandbox = {.network = settings_.text("sandbox.network") == "on",
                   .readable = settings_.list("sandbox.readable"),
                   .caches = settings_.list("sandbox.caches"),
                   .environment = settings_.list("sandbox.environment")};
  return std::make_unique<CommandVerifier>(std::move(check), editor_.get(), consent_);
}

bool Server::may_apply_at_once() {
  if (settings_.text("edits.review") != "direct") return false;
  if (!trusted_) tell_what_is_withheld();
  return trusted_;
}

void Server::tell_what_is_withheld() {
  const bool has_command = !settings_.list("verify.command").empty();
  const bool is_direct = settings_.text("edits.review") == "direct";
  const char* what = !is_direct ? "verify.command does not run"
                     : !has_command
                         ? "every edit waits until you apply it"
                         : "verify.command does not run and every edit waits until you apply it";
  const std::string how =
      trust_.is_said()
          ? "trust it in the editor (in Neovim: setup{trusted = …})"
          : "add it to bodkin.workspace.trusted in " + config_folder() +
                "/settings.json, or trust it in the editor (in Neovim: setup{trusted = …})";
  const std::string message =
      fmt::format("bodkin: this folder is not trusted, so {}; to change that, {}.", what, how);
  if (told_.insert(message).second) client_.say(MessageType::information, message);
}

}  // namespace bodkin::lsp
