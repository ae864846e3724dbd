#include "lsp/server/ask_commands.h"

#include <fmt/format.h>

#include <memory>

#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/sessions/proposal_news.h"

namespace bodkin::lsp {

void AskCommands::serve(Router& router) {
  router.on_command(
      kAsk,
      "textDocument?, range?, prompt?, profile?, sessionId?, attachments?, proposalId?, "
      "effort?, whenBusy?",
      prepared(std::bind_front(&AskCommands::ask, this)));
  router.on_command(
      kFix,
      "textDocument, range?, diagnostics?, prompt?, profile?, sessionId?, attachments?, "
      "effort?, whenBusy?",
      prepared([this](const Arguments& arguments, Reply reply) {
        start(arguments, true, std::move(reply));
      }));
  router.on_command(kCancel, "askId?", std::bind_front(&AskCommands::cancel, this));
  router.on_command(kNewSession, "", [this](const Arguments&, Reply reply) {
    reply.result({{"sessionId", asks_.new_session()}});
  });
  router.on_command(kUsage, "", std::bind_front(&AskCommands::usage, this));
  router.on_notification<ProgressCancelParams>(
      "window/workDoneProgress/cancel", [this](const ProgressCancelParams& params) {
        constexpr std::string_view kOurs = "bodkin/";
        if (params.token.size() > kOurs.size() && params.token.starts_with(kOurs)) {
          asks_.cancel(params.token.substr(kOurs.size()));
        }
      });
}

Router::Run AskCommands::prepared(Router::Run run) {
  return [this, run = std::move(run)](const Arguments& arguments, Reply reply) {
    const auto held = std::make_shared<Reply>(std::move(reply));
    const EarlierSessions::Then go_on =
        [run, held, arguments = Arguments(arguments)](const Result<std::string>& found) {
          if (found) return run(arguments, std::move(*held));
          if (found.error().code != Error::Code::not_found) return held->error(found.error());
          held->error(ErrorCode::request_failed, found.error().message, {{"reason", "no_session"}});
        };
    if (arguments.proposal_id.empty())
      return earlier_sessions_.find_session(arguments.session_id, go_on);
    earlier_sessions_.find_proposal(
        arguments.proposal_id,
        [this, go_on, held, id = arguments.session_id](const Result<std::string>& found) {
          found ? earlier_sessions_.find_session(id, go_on) : held->error(found.error());
        });
  };
}

void AskCommands::ask(const Arguments& arguments, Reply reply) {
  if (!arguments.prompt.empty()) return start(arguments, false, std::move(reply));
  if (!arguments.profile.empty() && asks_.has_plan(arguments.session_id)) {
    Arguments carry_out = arguments;
    carry_out.prompt = "Carry out the plan.";
    return start(carry_out, false, std::move(reply));
  }
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
        start(arguments, false, std::move(*held));
      });
}

void AskCommands::start(const Arguments& arguments, bool fix, Reply reply) {
  const Permissions permissions = world_.settings.permissions();
  if (!permissions.problems().empty()) {
    return reply.error(
        Error{Error::Code::unavailable, permissions.problems()[0], "agent.permissions"});
  }
  auto ask = ask_of(arguments, fix, world_);
  if (!ask) return reply.error(ask.error());
  const std::string& refined = arguments.proposal_id;
  // A fix without words is named after its place, a refinement after the proposal it refines.
  const std::string title = refined.empty() && !ask->title.empty()
                                ? ask->title
                                : ask->prompt.substr(0, ask->prompt.find('\n'));
  std::string session = arguments.session_id;
  // A refinement goes on in its proposal's conversation, if it came from one.
  if (session.empty() && !refined.empty()) {
    session = asks_.session_of(world_.proposals.find(refined)->ask_id);
  }
  if (refined.empty()) ask->news = news_of_last_ask(session);
  const auto started = asks_.start(std::move(*ask), session, arguments.queues);
  if (!started) return reply.error(started.error());
  reply.result({{"sessionId", started->session_id}, {"askId", started->ask_id}});
  reporter_.began(started->ask_id, title, refined);
}

// A refinement begins with its proposal as it is; every other ask is told what became of the last.
std::string AskCommands::news_of_last_ask(const std::string& session) const {
  const std::string last = asks_.last_ask(session);
  std::string news;
  if (last.empty()) return news;
  for (const auto& [id, proposal] : world_.proposals.all())
    if (proposal.ask_id == last) news += (news.empty() ? "" : "\n") + news_of(proposal);
  return news;
}

void AskCommands::cancel(const Arguments& arguments, Reply reply) {
  const std::string& id = arguments.ask_id;
  if (asks_.cancel(id) > 0) return reply.result({{"state", "cancelled"}});
  reply.error(ErrorCode::request_failed,
              id.empty() ? "Nothing to cancel." : "The ask " + id + " is not running.");
}

void AskCommands::usage(const Arguments&, Reply reply) {
  const Spent& spent = asks_.spent();
  std::string text =
      fmt::format("{} to models, {} tokens in, {} tokens out", counted(spent.turns, "request"),
                  grouped(spent.usage.input), grouped(spent.usage.output));
  text += spent.turns == 0 ? "."
          : spent.cost_usd ? fmt::format(", {:.2f} USD.", *spent.cost_usd)
                           : std::string("; price unknown.");
  if (!can_.proposals) client_.say(MessageType::information, "bodkin: " + text);
  reply.result({{"text", text}, {"usage", json_of(spent)}});
}

}  // namespace bodkin::lsp
