// workspace/executeCommand: the commands of editor.md, in one visible table.
#include <unistd.h>

#include <algorithm>
#include <map>

#include "agent/run.h"
#include "lsp/editor_workspace.h"
#include "lsp/extensions.h"
#include "lsp/server.h"

namespace bodkin::lsp {

namespace {

std::vector<size_t> hunks_in(const Json& argument) {
  const auto listed = decode<std::vector<size_t>>(member(argument, "hunks"));
  if (listed) return *listed;
  const Json& one = member(argument, "hunk");
  return one.is_number_unsigned() ? std::vector<size_t>{one.get<size_t>()} : std::vector<size_t>{};
}

// Whole lines: a selection that ends at the beginning of a line does not mean that line.
LineRange lines_of(const Range& range) {
  const bool ends_before = range.end.character == 0 && range.end.line > range.start.line;
  return {range.start.line, ends_before ? range.end.line : range.end.line + 1};
}

}  // namespace

void Server::execute(const Json& params, Reply reply) {
  const std::string command = text_member(params, "command");
  const Json& arguments = member(params, "arguments");
  static const Json kNothing = Json::object();
  const bool has_one = arguments.is_array() && !arguments.empty() && arguments[0].is_object();
  const Json& argument = has_one ? arguments[0] : kNothing;
  const std::string id = text_member(argument, "proposalId");
  const std::vector<size_t> hunks = hunks_in(argument);
  const std::vector<size_t>* only = hunks.empty() ? nullptr : &hunks;
  const auto answer = [&reply](const Result<void>& done, const char* state) {
    done ? reply.result({{"state", state}}) : reply.error(done.error());
  };

  if (command == kAsk) return start_ask(argument, /*fix=*/false, std::move(reply));
  if (command == kFix) return start_ask(argument, /*fix=*/true, std::move(reply));
  if (command == kApplyReply) return apply_reply(argument, std::move(reply));
  if (command == kCopyPrompt) return copy_prompt(argument, std::move(reply));
  if (command == kApply) return answer(review_.apply(id, only), "applying");
  if (command == kApplyHunk) {
    if (!only) {
      return reply.error(ErrorCode::invalid_params, "Which hunk? Give {\"hunks\":[index]}.");
    }
    return answer(review_.apply(id, only), "applying");
  }
  if (command == kDiscard) return answer(review_.discard(id, only), "discarded");
  if (command == kShowDiff) return answer(review_.show_diff(id), "shown");
  if (command == kUndo) return answer(review_.undo(id), "applying");
  if (command == kCancel) {
    asks_->cancel(text_member(argument, "askId"));
    return reply.result({{"state", "cancelled"}});
  }
  if (command == kStatusCommand) return reply.result(status());
  reply.error(ErrorCode::invalid_params, "Unknown command: " + command);
}

Json Server::status() const {
  const auto open = std::ranges::count_if(review_.all(),
                                          [](const auto& entry) { return entry.second.is_open(); });
  const Usage usage = asks_->usage();
  return {{"model", settings_.text("model.name", settings_.text("model.provider", "auto"))},
          {"host", settings_.text("model.endpoint")},
          {"asks", asks_->running()},
          {"proposals", open},
          {"usage", {{"input", usage.input}, {"output", usage.output}}}};
}

Result<Ask> Server::ask_of(const Json& argument, bool fix) {
  const std::string uri = text_member(argument, "textDocument.uri");
  Ask ask;
  ask.prompt = text_member(argument, "prompt");
  if (const std::string profile = text_member(argument, "profile"); !profile.empty()) {
    ask.profile = profile;
  } else {
    ask.profile = settings_.text("agent.profile", "auto");
  }
  if (const Json& attached = member(argument, "attachments"); attached.is_array()) {
    for (const Json& each : attached) {
      if (each.is_string()) ask.attachments.push_back(documents_.path_of(each.get<std::string>()));
    }
  }
  if (uri.empty()) {
    if (fix) return fail(Error::Code::invalid_input, "Which document shall be fixed?");
    return ask;
  }
  if (!uri.starts_with("file:") && !uri.starts_with("untitled:")) {
    return fail(Error::Code::invalid_input,
                "bodkin edits files on this machine and untitled buffers, not " +
                    uri.substr(0, uri.find(':') + 1) + " documents.");
  }
  const Document* document = documents_.find(uri);
  if (!document) {
    return fail(Error::Code::not_found, documents_.path_of(uri) + " is not open in the editor.");
  }
  Selection selection{document->path, {0, document->text.line_count()}};
  const auto range = decode<Range>(member(argument, "range"));
  if (range) selection.lines = lines_of(*range);
  selection.lines.end = std::min(selection.lines.end, document->text.line_count());
  selection.lines.begin = std::min(selection.lines.begin, selection.lines.end);
  if (fix) {
    const Json& given = member(argument, "diagnostics");
    const bool is_given = given.is_array() && !given.empty();
    ask.diagnostics =
        diagnostics_of(is_given ? given : bridge_.raw(uri), &document->text, documents_.encoding());
    if (!is_given && range) {
      std::erase_if(ask.diagnostics, [&](const Diagnostic& diagnostic) {
        return diagnostic.lines.end <= selection.lines.begin ||
               diagnostic.lines.begin >= selection.lines.end;
      });
    }
    if (ask.diagnostics.empty() && ask.prompt.empty()) {
      return fail(Error::Code::not_found, "There are no problems to fix here.");
    }
    if (ask.prompt.empty()) {
      ask.prompt = ask.diagnostics.size() == 1 ? "Fix this problem." : "Fix these problems.";
    }
  }
  ask.selection = std::move(selection);
  return ask;
}

void Server::start_ask(Json argument, bool fix, Reply reply) {
  if (fix || !text_member(argument, "prompt").empty()) {
    return start_ask_now(argument, fix, std::move(reply));
  }
  if (!client_.input) {
    return reply.error(ErrorCode::invalid_params,
                       "What shall be done? Give a prompt, or write a comment `bodkin: …` and take "
                       "its code action.");
  }
  connection_.request(
      kInput, {{"prompt", "Ask bodkin"}, {"placeholder", "What shall be done?"}},
      [this, argument = std::move(argument),
       held = std::make_shared<Reply>(std::move(reply))](const Result<Json>& answer) mutable {
        const std::string prompt = answer ? text_member(*answer, "value") : "";
        if (prompt.empty()) return held->error(ErrorCode::request_cancelled, "Cancelled.");
        argument["prompt"] = prompt;
        start_ask_now(argument, false, std::move(*held));
      });
}

void Server::start_ask_now(const Json& argument, bool fix, Reply reply) {
  auto ask = ask_of(argument, fix);
  if (!ask) return reply.error(ask.error());
  const std::string title = ask->prompt.substr(0, ask->prompt.find('\n'));
  const auto started = asks_->start(std::move(*ask), text_member(argument, "sessionId"));
  if (!started) return reply.error(started.error());
  reply.result({{"sessionId", started->session_id}, {"askId", started->ask_id}});
  began(started->ask_id, title);
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
      const std::string id = review_.add(outcome.files, outcome.title, "", outcome.notes);
      reply.result({{"proposalId", id}});
    });
  });
}

void Server::copy_prompt(const Json& argument, Reply reply) {
  auto ask = ask_of(argument, member(argument, "diagnostics").is_array());
  if (!ask) return reply.error(ask.error());
  asks_->work([ask = std::move(*ask),
               workspace = std::make_shared<EditorWorkspace>(documents_, indexer_.index()),
               reply = std::move(reply)](const Task& task) mutable {
    const auto text = prompt_for(ask, *workspace, task);
    text ? reply.result({{"text", *text}}) : reply.error(text.error());
  });
}

}  // namespace bodkin::lsp
