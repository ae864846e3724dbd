#include "lsp/server/run_policy.h"

#include <fmt/format.h>

#include "agent/support/shown_text.h"

namespace bodkin::lsp {

RunPolicy::RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust,
                     const Documents& documents, Client& client)
    : AskRules(settings,
               [&client, &loop](const std::string& sentence) {
                 loop.post([&client, sentence] {
                   client.say(MessageType::warning, "bodkin: " + plain_line(sentence));
                 });
               }),
      settings_(settings),
      trust_(trust),
      documents_(documents),
      client_(client) {}

Limits RunPolicy::limits() const {
  Limits limits = AskRules::limits(trust_.is_trusted(), documents_.roots());
  if (trust_.is_set_by_editor()) limits.way_to_trust = "trust it in the editor";
  return limits;
}

AskSetup RunPolicy::set_up(Editor* editor) {
  AskSetup setup = AskRules::set_up(trust_.is_trusted(), documents_.roots(), editor);
  if (trust_.is_set_by_editor()) setup.limits.way_to_trust = "trust it in the editor";
  if (setup.verifier && !trust_.is_trusted()) report_withheld();
  return setup;
}

std::shared_ptr<DraftChecker> RunPolicy::checker() const {
  return AskRules::checker(trust_.is_trusted());
}

// Decides: whether an edit is applied without review.
bool RunPolicy::may_apply_at_once() {
  if (!applies_at_once()) return false;
  if (!trust_.is_trusted()) report_withheld();
  return trust_.is_trusted();
}

void RunPolicy::report_withheld() {
  const bool has_command = !settings_.list("verify.command").empty();
  const bool is_direct = applies_at_once();
  const char* what = !is_direct ? "verify.command does not run"
                     : !has_command
                         ? "every edit waits until you apply it"
                         : "verify.command does not run and every edit waits until you apply it";
  const char* how =
      trust_.is_set_by_editor()
          ? "trust it in the editor (in Neovim: setup{trusted = …})"
          : "run bodkin trust there, or trust it in the editor (in Neovim: :Bodkin trust)";
  const std::string message =
      fmt::format("bodkin: this folder is not trusted, so {}; to change that, {}.", what, how);
  if (told_.insert(message).second) client_.say(MessageType::information, message);
}

}  // namespace bodkin::lsp
