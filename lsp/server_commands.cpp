// workspace/executeCommand: the commands, in one visible table. Each answers exactly once, and none
// waits for a model.
#include <fmt/format.h>

#include <algorithm>

#include "agent/run.h"
#include "lsp/ask_request.h"
#include "lsp/editor_workspace.h"
#include "lsp/extensions.h"
#include "lsp/server.h"

namespace bodkin::lsp {

const Server::Command Server::kTable[] = {
    {kAsk, &Server::ask},
    {kFix, &Server::fix},
    {kApplyReply, &Server::apply_reply},
    {kCopyPrompt, &Server::copy_prompt},
    {kApply, &Server::apply},
    {kApplyHunk, &Server::apply_hunk},
    {kDiscard, &Server::discard},
    {kShowDiff, &Server::show_diff},
    {kUndo, &Server::undo},
    {kCancel, &Server::cancel},
    {kStatusCommand, &Server::status},
    {kNewSession, &Server::new_session},
    {kUsage, &Server::usage},
    {kShowLog, &Server::show_log},
    {kSelectModel, &Server::select_model},
    {kCheck, &Server::check},
};

namespace {

// Nothing: all of them.
std::optional<std::vector<size_t>> hunks_in(const Json& argument) {
  auto listed = decode<std::vector<size_t>>(member(argument, "hunks"));
  if (listed && !listed->empty()) return *std::move(listed);
  const Json& one = member(argument, "hunk");
  if (one.is_number_unsigned()) return std::vector<size_t>{one.get<size_t>()};
  return std::nullopt;
}

void answer(Reply& reply, const Result<void>& done, const char* state) {
  done ? reply.result({{"state", state}}) : reply.error(done.error());
}

}  // namespace

void Server::execute(const Json& params, Reply reply) {
  const std::string command = text_member(params, "command");
  const Json& arguments = member(params, "arguments");
  static const Json kNothing = Json::object();
  const bool has_one = arguments.is_array() && !arguments.empty() && arguments[0].is_object();
  const auto found = std::ranges::find(kTable, command, &Command::name);
  if (found == std::end(kTable)) {
    return reply.error(ErrorCode::invalid_params, "Unknown command: " + command);
  }
  (this->*found->run)(has_one ? arguments[0] : kNothing, std::move(reply));
}

void Server::apply(const Json& argument, Reply reply) {
  const auto only = hunks_in(argument);
  answer(reply, review_.apply(text_member(argument, "proposalId"), only ? &*only : nullptr),
         "applying");
}

void Server::apply_hunk(const Json& argument, Reply reply) {
  if (hunks_in(argument)) return apply(argument, std::move(reply));
  reply.error(ErrorCode::invalid_params, "Which hunk? Give {\"hunks\":[index]}.");
}

void Server::discard(const Json& argument, Reply reply) {
  const auto only = hunks_in(argument);
  answer(reply, review_.discard(text_member(argument, "proposalId"), only ? &*only : nullptr),
         "discarded");
}

void Server::show_diff(const Json& argument, Reply reply) {
  answer(reply, review_.show_diff(text_member(argument, "proposalId")), "shown");
}

void Server::undo(const Json& argument, Reply reply) {
  answer(reply, review_.undo(text_member(argument, "proposalId")), "applying");
}

void Server::cancel(const Json& argument, Reply reply) {
  asks_->cancel(text_member(argument, "askId"));
  reply.result({{"state", "cancelled"}});
}

void Server::status(const Json&, Reply reply) {
  const auto open = std::ranges::count_if(review_.all(),
                                          [](const auto& entry) { return entry.second.is_open(); });
  reply.result({{"model", model_text(settings_)},
                {"host", settings_.text("model.endpoint")},
                {"asks", asks_->running()},
                {"proposals", open},
                {"usage", usage_json()}});
}

void Server::new_session(const Json&, Reply reply) {
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

void Server::usage(const Json&, Reply reply) {
  const Spent& spent = asks_->spent();
  std::string text =
      fmt::format("{} request{} to models, {} tokens in, {} tokens out", spent.turns,
                  spent.turns == 1 ? "" : "s", spent.usage.input, spent.usage.output);
  text += spent.turns == 0 ? "."
          : spent.cost_usd ? fmt::format(", {:.2f} USD.", *spent.cost_usd)
                           : std::string("; the price is not known.");
  if (!can_.proposals) client_.say(MessageType::information, "bodkin: " + text);
  reply.result({{"text", text}, {"usage", usage_json()}});
}

void Server::show_log(const Json&, Reply reply) {
  if (!can_.proposals) (void)review_.show_text("bodkin.log", log_.text());
  reply.result({{"text", log_.text()}});
}

void Server::fix(const Json& argument, Reply reply) { start_ask(argument, true, std::move(reply)); }

void Server::ask(const Json& argument, Reply reply) {
  if (!text_member(argument, "prompt").empty()) {
    return start_ask(argument, false, std::move(reply));
  }
  if (!can_.input) {
    return reply.error(ErrorCode::invalid_params,
                       "What shall be done? Give a prompt, or write a comment `bodkin: …` and take "
                       "its code action.");
  }
  client_.input("Ask bodkin", "What shall be done?",
                [this, argument = Json(argument), held = std::make_shared<Reply>(std::move(reply))](
                    const std::string& prompt) mutable {
                  if (prompt.empty()) {
                    return held->error(ErrorCode::request_cancelled, "Cancelled.");
                  }
                  argument["prompt"] = prompt;
                  start_ask(argument, false, std::move(*held));
                });
}

void Server::start_ask(const Json& argument, bool fix, Reply reply) {
  if (const auto rules = Permissions::parse(settings_.value("agent.permissions")); !rules) {
    return reply.error(rules.error());
  }
  auto ask = ask_of(argument, fix, {documents_, bridge_, review_, settings_});
  if (!ask) return reply.error(ask.error());
  const std::string title = ask->prompt.substr(0, ask->prompt.find('\n'));
  const std::string refined = text_member(argument, "proposalId");
  std::string session = text_member(argument, "sessionId");
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
void Server::apply_reply(const Json& argument, Reply reply) {
  const std::string text = text_member(argument, "text");
  const std::string uri = text_member(argument, "textDocument.uri");
  if (text.empty()) return reply.error(ErrorCode::invalid_params, "There is no text to apply.");
  asks_->work([this, text, path = uri.empty() ? "" : documents_.path_of(uri),
               workspace = std::make_shared<EditorWorkspace>(documents_),
               reply = std::move(reply)](const Task& task) mutable {
    Outcome outcome = outcome_of_reply(text, path, *workspace, task);
    loop_.post([this, outcome = std::move(outcome), reply = std::move(reply)]() mutable {
      if (outcome.files.empty()) {
        return reply.error(ErrorCode::request_failed, outcome.reason.empty()
                                                          ? "There are no edits in the text."
                                                          : outcome.reason);
      }
      Review::Made made{.title = outcome.title, .notes = outcome.notes};
      made.verification = verification_of(outcome);
      const std::string id = review_.add(outcome.files, std::move(made));
      reply.result({{"proposalId", id}});
    });
  });
}

void Server::copy_prompt(const Json& argument, Reply reply) {
  auto ask = ask_of(argument, member(argument, "diagnostics").is_array(),
                    {documents_, bridge_, review_, settings_});
  if (!ask) return reply.error(ask.error());
  asks_->work([ask = std::move(*ask),
               workspace = std::make_shared<EditorWorkspace>(documents_, indexer_.index()),
               reply = std::move(reply)](const Task& task) mutable {
    const auto text = prompt_for(ask, *workspace, task);
    text ? reply.result({{"text", *text}}) : reply.error(text.error());
  });
}

}  // namespace bodkin::lsp
