#include <fmt/format.h>

#include <algorithm>

#include "agent/context/symbols.h"
#include "agent/loop/conversation_messages.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/history_parts.h"
#include "lsp/sessions/history_text.h"
#include "lsp/sessions/said_words.h"

namespace bodkin {

namespace {

// Whether the message is what has streamed in of a reply that broke off, which the next one
// repeats.
bool is_repeated(const ShownAsk& ask, const ShownMessage& message) {
  if (!message.is_replaced || message.role != "assistant") return false;
  const auto next = std::ranges::find_if(ask.messages, [&](const ShownMessage& each) {
    return each.id > message.id && each.role == "assistant";
  });
  return next != ask.messages.end() && shown_words(*next).ends_with(kUnusedReply) &&
         shown_words(*next).starts_with(shown_words(message));
}

// Text without line breaks, which its own text cannot end.
std::string inline_code(const std::string& text) {
  std::string fence = "`";
  while (text.find(fence) != text.npos) fence += '`';
  return fence + (text.starts_with('`') ? " " : "") + text + (text.ends_with('`') ? " " : "") +
         fence;
}

std::string quoted(const std::string& text) {
  std::string result = "> ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "> ";
  }
  return result + "\n";
}

// The reply whose calls this message answers.
int64_t reply_before(const ShownAsk& ask, const ShownMessage& message) {
  int64_t reply = 0;
  for (const ShownMessage& each : ask.messages) {
    if (each.id >= message.id) break;
    if (each.role == "assistant" && each.is_complete && !each.is_replaced) reply = each.id;
  }
  return reply;
}

std::string markdown_of(const ShownAsk& ask, const ShownMessage& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    if (const auto* words = std::get_if<TextBlock>(&block)) {
      if (is_repeated(ask, message)) continue;
      // The user's request is above; all that was sent is for a closer look.
      if (message.role == "user") {
        text += "<details><summary>Sent to the model</summary>\n\n" + fenced(words->text) +
                "\n</details>\n\n";
      } else {
        text += without_note_for_model(words->text) + "\n\n";
      }
    } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
      if (!thought->text.empty()) text += quoted(thought->text) + "\n";
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      const CallRow* row = call_row(ask, message.id, call->id);
      std::string came;  // a time that is rounded to nothing says nothing
      if (row && row->ms >= 50) came = fmt::format("{:.1f} s", static_cast<double>(row->ms) / 1000);
      if (row && row->failed) came += came.empty() ? "failed" : ", failed";
      text += fmt::format("**{}**{}\n\n", call->name, came.empty() ? "" : " (" + came + ")");
      if (row && !row->reason.empty()) text += row->reason + "\n\n";
      text += fenced(text_of_json(call->arguments, 2), "json") + "\n";
      if (row) text += fenced(row->result) + "\n";
    } else if (const auto* result = std::get_if<ToolResult>(&block)) {
      if (!call_row(ask, reply_before(ask, message), result->id))
        text += fenced(result->content) + "\n";
    } else {
      text += "*(an image)*\n\n";
    }
  }
  if (message.role == "user") return text;
  if (!message.is_complete) return text + "*(The reply was cut off here.)*\n\n";
  if (is_repeated(ask, message)) return text;
  if (message.is_replaced)
    return text + "*(Not part of the conversation: " + message.finish + ")*\n\n";
  if (message.finish != "end_turn" && message.finish != "tool_use" && !message.finish.empty())
    text += "*(The reply ended with: " + message.finish + ")*\n\n";
  return text;
}

// The reply as a person would have read it: the words, and each call in one line. The changes are
// below as a diff, and not repeated as the model wrote them.
std::string said_in(const ShownAsk& ask, const ShownMessage& message) {
  if (message.role == "user" || is_repeated(ask, message)) return "";
  std::string text;
  for (const Block& block : message.blocks) {
    if (const auto* words = std::get_if<TextBlock>(&block)) {
      SaidWords said;
      const std::string all = without_note_for_model(words->text);
      std::string shown = ask.proposals.empty() ? all : said.add(all) + said.end();
      shown.erase(shown.find_last_not_of(" \n") + 1);
      if (!shown.empty()) text += shown + "\n\n";
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      const CallRow* row = call_row(ask, message.id, call->id);
      const std::string given = shown_call("", call->arguments);
      const size_t begin = given.find_first_not_of(' ');
      const std::string what =
          begin == given.npos ? "" : " " + inline_code(shown_line(given.substr(begin)));
      text += fmt::format("- {}{}{}\n\n", call->name, row && row->failed ? " (failed)" : "",
                          row && !row->reason.empty() ? ": " + shown_line(row->reason) : what);
    }
  }
  return text;
}

}  // namespace

std::string markdown_of(const ShownSession& session, Detail detail) {
  std::string text =
      fmt::format("# {}\n\n{}, {}, {}\n", plain_line(session.row.title), session.row.id,
                  shown_date(session.row.created), shown_folders(session.row.workspace));
  for (const ShownAsk& ask : session.asks) {
    text += fmt::format("\n## {}\n\n{} · {} · {}\n\n",
                        plain_line(ask.start.prompt.substr(0, ask.start.prompt.find('\n'))),
                        shown_date(ask.start.time), ask.start.model, shown_spending(ask));
    if (ask.start.prompt.find('\n') != std::string::npos) text += quoted(ask.start.prompt) + "\n";
    for (const ShownMessage& message : ask.messages)
      text += detail == Detail::all ? markdown_of(ask, message) : said_in(ask, message);
    for (const ProposalRow& proposal : ask.proposals) {
      text += detail == Detail::all
                  ? fmt::format("### Proposal {}: {}\n\n", proposal.id, proposal.state)
                  : fmt::format("### Proposed changes: {}\n\n", proposal.state);
      for (const ChangedFile& file : proposal.files) text += fenced(diff_of(file), "diff") + "\n";
    }
    if (ask.sum.outcome != "done") text += shown_end(ask.sum) + "\n";
  }
  return text;
}

std::string markdown_of(const ProposalRow& change) {
  std::string text = "# " + line_of(change) + "\n";
  for (const ChangedFile& file : change.files) text += fenced(diff_of(file), "diff") + "\n";
  return text;
}

}  // namespace bodkin
