// workspace/executeCommand: the commands, in one visible table. Each answers exactly once, and none
// waits for a model.
#include <fmt/format.h>

#include <algorithm>

#include "agent/loop/run.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/arguments.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/ask_request.h"
#include "lsp/server/server.h"
#include "lsp/workspace/editor_workspace.h"

namespace bodkin::lsp {

const Server::Command Server::kTable[] = {
    {kAsk, &Server::ask,
     "textDocument?, range?, prompt?, profile?, sessionId?, attachments?, proposalId?"},
    {kFix, &Server::fix,
     "textDocument, range?, diagnostics?, prompt?, profile?, sessionId?, attachments?"},
    {kApplyReply, &Server::apply_reply, "text, textDocument?"},
    {kCopyPrompt, &Server::copy_prompt,
     "textDocument?, range?, diagnostics?, prompt?, profile?, attachments?, proposalId?"},
    {kApply, &Server::apply, "proposalId?, hunks?, hunk?"},
    {kApplyHunk, &Server::apply_hunk, "proposalId?, hunks?, hunk?"},
    {kDiscard, &Server::discard, "proposalId?, hunks?, hunk?"},
    {kShowDiff, &Server::show_diff, "proposalId?"},
    {kUndo, &Server::undo, "proposalId?"},
    {kAnswer, &Server::answer_question, "questionId, choice"},
    {kCancel, &Server::cancel, "askId?"},
    {kStatusCommand, &Server::status, ""},
    {kNewSession, &Server::new_session, ""},
    {kUsage, &Server::usage, ""},
    {kShowLog, &Server::show_log, ""},
    {kSelectModel, &Server::select_model, "provider?, name?, endpoint?"},
    {kCheck, &Server::check, ""},
};

namespace {

void answer(Reply& reply, const Result<void>& done, const char* state) {
  done ? reply.result({{"state", state}}) : reply.error(done.error());
}

}  // namespace

void Server::execute(const Json& params, Reply reply) {
  const std::string command = text_member(params, "command");
  const auto found = std::ranges::find(kTable, command, &Command::name);
  if (found == std::end(kTable)) {
    return reply.error(ErrorCode::invalid_params, "Unknown command: " + command);
  }
  const auto argument = argument_in(command, params);
  if (!argument) return reply.error(argument.error());
  const auto arguments = arguments_of(command, found->takes, *argument);
  if (!arguments) return reply.error(arguments.error());
  (this->*found->run)(*arguments, std::move(reply));
}

void Server::apply(const Arguments& arguments, Reply reply) {
  answer(reply, review_.apply(arguments.proposal_id, arguments.hunks ? &*arguments.hunks : nullptr),
         "applying");
}

void Server::apply_hunk(const Arguments& arguments, Reply reply) {
  if (arguments.hunks) return apply(arguments, std::move(reply));
  reply.error(ErrorCode::invalid_params, "Which hunk? Give {\"hunks\":[index]}.");
}

void Server::discard(const Arguments& arguments, Reply reply) {
  answer(reply,
         review_.discard(arguments.proposal_id, arguments.hunks ? &*arguments.hunks : nullptr),
         "discarded");
}

void Server::show_diff(const Arguments& arguments, Reply reply) {
  answer(reply, review_.show_diff(arguments.proposal_id), "shown");
}

void Server::undo(const Arguments& arguments, Reply reply) {
  answer(reply, review_.undo(arguments.proposal_id), "applying");
}

void Server::answer_question(const Arguments& arguments, Reply reply) {
  if (arguments.choice == "show") {
    const auto about = questions_.about(arguments.question_id);
    if (!about) return reply.error(about.error());
    return answer(reply, review_.show_text("question.diff", about->title + "\n\n" + about->detail),
                  "shown");
  }
  answer(
      reply,
      questions_.answer(arguments.question_id, arguments.choice == "once"     ? Decision::once
                                               : arguments.choice == "always" ? Decision::always
                                                                              : Decision::reject),
      arguments.choice == "reject" ? "refused" : "allowed");
}

void Server::cancel(const Arguments& arguments, Reply reply) {
  const std::string& id = arguments.ask_id;
  if (asks_->cancel(id) > 0) return reply.result({{"state", "cancelled"}});
  reply.error(ErrorCode::request_failed,
              id.empty() ? "Nothing to cancel." : "The ask " + id + " is not running.");
}

void Server::status(const Arguments&, Reply reply) {
  look_up_model([this, held = std::make_shared<Reply>(std::move(reply))]() mutable {
    answer_status(std::move(*held));
  });
}

void Server::answer_status(Reply reply) {
  const auto open = std::ranges::count_if(review_.all(),
                                          [](const auto& entry) { return entry.second.is_open(); });
  reply.result({{"model", answering_.name},
                {"host", answering_.host},
                {"asks", asks_->running()},
                {"proposals", open},
                {"trusted", trusted_},
                {"usage", usage_json()}});
}

void Server::new_session(const Arguments&, Reply reply) {
  reply.result({{"sessionId", asks_->new_session()}});
}

Json Server::usage_json() const {
  const Spent& spent = asks_->spent();
  Json result = {{"input", spent.usage.input},
                 {"cacheRead", spent.usage.cache_read},
                 {"cacheWrite", spent.usage.cache_write},
                 {"output", spent.usage.output},
                 {"reasoning", spent.usage.reasoning}};
  if (spent.cost_usd) result["costUsd"] = *spent.cost_usd;
  return result;
}

void Server::usage(const Arguments&, Reply reply) {
  const Spent& spent = asks_->spent();
  std::string text =
      fmt::format("{} request{} to models, {} tokens in, {} tokens out", spent.turns,
                  spent.turns == 1 ? "" : "s", spent.usage.input, spent.usage.output);
  text += spent.turns == 0 ? "."
          : spent.cost_usd ? fmt::format(", {:.2f} USD.", *spent.cost_usd)
                           : std::string("; price unknown.");
  if (!can_.proposals) client_.say(MessageType::information, "bodkin: " + text);
  reply.result({{"text", text}, {"usage", usage_json()}});
}

void Server::show_log(const Arguments&, Reply reply) {
  if (!can_.proposals) (void)review_.show_text("bodkin.log", log_.text());
  reply.result({{"text", visible(log_.text())}});
}

void Server::fix(const Arguments& arguments, Reply reply) {
  start_ask(arguments, true, std::move(reply));
}

void Server::ask(const Arguments& arguments, Reply reply) {
  if (!arguments.prompt.empty()) return start_ask(arguments, false, std::move(reply));
  if (!can_.input) {
    return reply.error(
        ErrorCode::invalid_params,
        "What should I change? Give a prompt, or write a comment `bodkin: …` and take "
        "its code action.");
  }
  client_.input(
      "Ask bodkin", "What should I change?",
      [this, arguments = Arguments(arguments),
       held = std::make_shared<Reply>(std::move(reply))](const std::string& prompt) mutable {
        if (prompt.empty()) {
          return held->error(ErrorCode::request_cancelled, "Cancelled.");
        }
        arguments.prompt = prompt;
        start_ask(arguments, false, std::move(*held));
      });
}

void Server::start_ask(const Arguments& arguments, bool fix, Reply reply) {
  const Permissions permissions = settings_.permissions();
  if (!permissions.problems().empty()) {
    return reply.error(ErrorCode::request_failed, permissions.problems()[0]);
  }
  auto ask = ask_of(arguments, fix, {documents_, bridge_, review_, settings_});
  if (!ask) return reply.error(ask.error());
  const std::string title = ask->prompt.substr(0, ask->prompt.find('\n'));
  const std::string& refined = arguments.proposal_id;
  std::string session = arguments.session_id;
  // A refinement goes on in its proposal's conversation, if it came from one.
  if (session.empty() && !refined.empty()) {
    session = asks_->session_of(review_.find(refined)->ask_id);
  }
  const auto started = asks_->start(std::move(*ask), session);
  if (!started) return reply.error(started.error());
  reply.result({{"sessionId", started->session_id}, {"askId", started->ask_id}});
  began(started->ask_id, title, refined);
}

// A reply from any chat: needs no model. Reads files, so it does not run here.
void Server::apply_reply(const Arguments& arguments, Reply reply) {
  const std::string& uri = arguments.uri;
  asks_->work([this, text = arguments.text, path = uri.empty() ? "" : documents_.path_of(uri),
               workspace = std::make_shared<EditorWorkspace>(documents_, nullptr, trusted_),
               reply = std::move(reply)](const Task& task) mutable {
    Outcome outcome = outcome_of_reply(text, path, *workspace, task);
    loop_.post([this, outcome = std::move(outcome), holds_code = text.find("```") != text.npos, roots = workspace->roots(task),
                reply = std::move(reply)]() mutable {
      if (outcome.files.empty()) {
        return reply.error(ErrorCode::request_failed,
                           !outcome.reason.empty() ? outcome.reason
                           : holds_code ? "The text contains code but does not say which lines it "
                                          "replaces; ask for SEARCH/REPLACE blocks or a diff."
                                        : "The text contains no edits.");
      }
      Review::Made made{.title = outcome.title, .notes = outcome.notes, .roots = std::move(roots)};
      made.verification = verification_of(outcome);
      std::ranges::copy(outcome.cautions, std::back_inserter(made.notes));
      const std::string id = review_.add(outcome.files, std::move(made));
      reply.result({{"proposalId", id}});
    });
  });
}

void Server::copy_prompt(const Arguments& arguments, Reply reply) {
  auto ask = ask_of(arguments, arguments.diagnostics.has_value(),
                    {documents_, bridge_, review_, settings_});
  if (!ask) return reply.error(ask.error());
  asks_->work(
      [this, ask = std::move(*ask),
       workspace = std::make_shared<EditorWorkspace>(documents_, indexer_.index(), trusted_),
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
