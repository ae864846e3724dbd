#include "lsp/server/chat_commands.h"

#include <algorithm>
#include <iterator>

#include "lsp/protocol/extensions.h"
#include "lsp/server/ask_reporter.h"

namespace bodkin::lsp {

void ChatCommands::serve(Router& router) {
  router.on_command(kApplyReply, "text, textDocument?",
                    std::bind_front(&ChatCommands::apply_reply, this));
  router.on_command(
      kCopyPrompt,
      "textDocument?, range?, diagnostics?, prompt?, profile?, attachments?, proposalId?",
      std::bind_front(&ChatCommands::copy_prompt, this));
}

// A reply from any chat: needs no model. Reads files, so it does not run here.
void ChatCommands::apply_reply(const Arguments& arguments, Reply reply) {
  const std::string& uri = arguments.uri;
  work_.start([this, text = arguments.text, path = uri.empty() ? "" : world_.documents.path_of(uri),
               workspace = workspace_(), reply = std::move(reply)](const Task& task) mutable {
    Outcome outcome = outcome_of_reply(text, path, *workspace, task);
    loop_.post([this, outcome = std::move(outcome), holds_code = text.find("```") != text.npos,
                roots = workspace->roots(task), reply = std::move(reply)]() mutable {
      if (outcome.files.empty()) {
        return reply.error(ErrorCode::request_failed,
                           !outcome.reason.empty() ? outcome.reason
                           : holds_code ? "The text contains code but does not say which lines it "
                                          "replaces; ask for SEARCH/REPLACE blocks or a diff."
                                        : "The text contains no edits.");
      }
      NewProposal made{.title = outcome.title, .notes = outcome.notes, .roots = std::move(roots)};
      made.verification = verification_of(outcome);
      std::ranges::copy(outcome.cautions, std::back_inserter(made.notes));
      const std::string id = world_.proposals.add(outcome.files, std::move(made));
      reply.result({{"proposalId", id}});
    });
  });
}

void ChatCommands::copy_prompt(const Arguments& arguments, Reply reply) {
  auto ask = ask_of(arguments, arguments.diagnostics.has_value(), world_);
  if (!ask) return reply.error(ask.error());
  work_.start([this, ask = std::move(*ask), workspace = workspace_(),
               reply = std::move(reply)](const Task& task) mutable {
    const auto prompt = prompt_for(ask, *workspace, task);
    if (!prompt) return reply.error(prompt.error());
    reply.result({{"text", prompt->text}});
    if (prompt->withheld.empty()) return;
    loop_.post([this, words = prompt->withheld] {
      client_.say(MessageType::information, "bodkin: " + words);
    });
  });
}

}  // namespace bodkin::lsp
