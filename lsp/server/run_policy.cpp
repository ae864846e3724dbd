#include "lsp/server/run_policy.h"

#include <fmt/format.h>

#include "agent/support/shown_text.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::lsp {

RunPolicy::RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust,
                     Client& client)
    : settings_(settings), trust_(trust), client_(client) {
  mcp_ = std::make_shared<Mcp>([this, &loop](const std::string& sentence) {
    loop.post(
        [this, sentence] { client_.say(MessageType::warning, "bodkin: " + plain_line(sentence)); });
  });
}

Limits RunPolicy::limits() const {
  return limits_of(settings_, trust_.is_trusted(), consent_, mcp_);
}

std::unique_ptr<Verifier> RunPolicy::make_verifier(Editor* editor) {
  auto verifier = verifier_of(settings_, trust_.is_trusted(), editor, consent_);
  if (verifier && !trust_.is_trusted()) report_withheld();
  return verifier;
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
