// bodkin ask: one ask without an editor.
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_run.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/conversation.h"
#include "lsp/cli/model_choice.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin {

std::string session_to_go_on(const AskCommand& options) {
  auto opened = ConfinedFolder::open(root_of(options));
  if (!opened) return say(opened.error().message), "";
  const auto told = [](const std::string& words) { say(words); };
  const AskFolder folder(*std::move(opened), told);
  AskHistory history(lsp::history_limits(folder.settings()), told);
  Conversation conversation;
  const auto found =
      history.resume(options.session, folder.roots(), !options.root.empty(), conversation);
  return found ? history.session() : (say(found.error().message), "");
}

int ask_command(const AskCommand& options, AskIds* ids) {
  if (!options.in_conversation && begins_conversation(options)) return converse(options);
  if (const auto valid = check_names(options); !valid)
    return say(valid.error().message), AskRun::usage;
  if (options.choose && !(options.provider + options.endpoint + options.model).empty())
    return say("--choose cannot be combined with --provider, --endpoint or --model."),
           AskRun::usage;
  auto folder = ConfinedFolder::open(root_of(options));
  if (!folder) return say(folder.error().message), AskRun::usage;
  if (options.choose && options.prompt.empty() && can_ask_user())  // for the next time
    return choose_model_in_terminal(lsp::user_settings(), lsp::user_model_settings("auto", ""),
                                    lsp::user_model_settings("", ""), {})
               ? AskRun::done
               : AskRun::failed;
  auto request = request_of(options, *folder);
  if (!request) return say(request.error().message), AskRun::usage;
  if (needs_recovery(*folder)) {  // the model would be shown files that are half changed
    if (options.diff) {
      say("An earlier run was interrupted and may have left files half changed; the next run that "
          "writes restores them first.");
    } else if (const auto recovered = Writing::begin_command(*folder, "ask"); !recovered) {
      return say(recovered.error().message), AskRun::failed;
    }
  }
  if (!ids) return AskRun(options, *std::move(folder), nullptr).run(*std::move(request));
  TypedAhead ahead;  // to the end: what comes meanwhile is shown at the next prompt
  int code = AskRun::failed;
  {
    AskRun ask(options, *std::move(folder), &ahead);
    code = ask.run(*std::move(request));
    *ids = ask.ids();
    if (ids->session.empty() && ask.has_begun())
      say("No history is kept (bodkin.history.retentionDays), so the next request begins another "
          "session");
  }
  ahead.end();
  ids->typed = ahead.text();
  return code;
}

}  // namespace bodkin
