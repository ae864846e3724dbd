#include "lsp/server/chat_commands.h"

#include <utility>

#include "agent/context/completion.h"
#include "agent/rpc/position.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/privacy.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/ask_reporter.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

void ChatCommands::serve(Router& router) {
  router.on_command(kApplyReply, "text, textDocument?, proposalId?",
                    std::bind_front(&ChatCommands::apply_reply, this));
  router.on_command(
      kCopyPrompt,
      "textDocument?, range?, diagnostics?, prompt?, profile?, attachments?, proposalId?",
      std::bind_front(&ChatCommands::copy_prompt, this));
  router.on_own_request(kComplete, "text, offset?", std::bind_front(&ChatCommands::complete, this));
}

// A reply from any chat, or the user's version of a proposal, which it replaces: needs no model.
// Reads files, so it does not run here.
void ChatCommands::apply_reply(const Arguments& arguments, Reply reply) {
  const std::string& uri = arguments.uri;
  work_.start([this, text = arguments.text, path = uri.empty() ? "" : world_.documents.path_of(uri),
               edited = arguments.proposal_id, workspace = workspace_(),
               reply = std::move(reply)](const Task& task) mutable {
    Outcome outcome = outcome_of_reply(text, path, *workspace, task);
    loop_.post([this, outcome = std::move(outcome), edited, roots = workspace->roots(task),
                reply = std::move(reply)]() mutable {
      if (outcome.files.empty()) {
        std::string feedback;
        for (const std::string& note : outcome.notes) feedback += note + "\n";
        if (!feedback.empty())
          client_.log(MessageType::warning,
                      outcome.reason + "\nTo be sent back to the model:\n" + feedback);
        return reply.error(ErrorCode::request_failed, outcome.reason,
                           feedback.empty() ? Json() : Json{{"feedback", visible(feedback)}});
      }
      std::string ignored;  // to place them; nothing that has to be decided
      for (const std::string& note : std::exchange(outcome.notes, {})) ignored += " " + note;
      if (!ignored.empty()) client_.say(MessageType::information, "bodkin:" + ignored);
      NewProposal made = NewProposal::of(outcome, std::move(roots));
      if (const Proposal* const old = world_.proposals.find(edited)) {
        made.title = old->title;
        made.ask_id = old->ask_id;
        made.replaces = edited;
      }
      reply.result({{"proposalId", world_.proposals.add(outcome.files, std::move(made))}});
    });
  });
}

void ChatCommands::copy_prompt(const Arguments& arguments, Reply reply) {
  auto ask = ask_of(arguments, arguments.diagnostics.has_value(), world_);
  if (!ask) return reply.error(ask.error());
  work_.start([this, ask = std::move(*ask), workspace = workspace_(), limits = limits_(),
               reply = std::move(reply)](const Task& task) mutable {
    const auto prompt = prompt_for(ask, *workspace, limits, task);
    if (!prompt) return reply.error(prompt.error());
    reply.result({{"text", prompt->text}});
    if (prompt->withheld.empty()) return;
    loop_.post([this, words = prompt->withheld] {
      client_.say(MessageType::information, "bodkin: " + words);
    });
  });
}

// Lists the workspace, so it does not run here either.
void ChatCommands::complete(const Arguments& arguments, Reply reply) {
  const auto encoding = world_.documents.encoding();
  work_.start([text = arguments.text, offset = arguments.offset, encoding, workspace = workspace_(),
               reply = std::move(reply)](const Task& task) mutable {
    const size_t cursor = offset ? rpc::byte_after(text, *offset, encoding) : text.size();
    GuardedWorkspace guard(*workspace, task);
    const Completions completions =
        complete_request(text, cursor, own_prompts_folder(), guard, task);
    Json items = Json::array();
    for (const Completions::Item& item : completions.items) {
      items.push_back(
          {{"label", item.label}, {"insertText", item.insert}, {"kind", name_of(item.kind)}});
      if (!item.detail.empty()) items.back()["detail"] = item.detail;
    }
    reply.result(
        {{"start", rpc::units_in(text, completions.begin, encoding)}, {"items", std::move(items)}});
  });
}

}  // namespace bodkin::lsp
