// More than 350 lines: a session in words, in Markdown and in JSON, side by side, so that the three
// say the same.
#include "lsp/sessions/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>

#include "agent/loop/conversation_messages.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "edits/plan/diff.h"
#include "edits/text/shortened.h"
#include "lsp/sessions/proposal.h"
#include "lsp/sessions/said_words.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxLine = 100;  // bytes of a call's arguments in one line

std::string date_of(int64_t time) {
  const std::time_t seconds = static_cast<std::time_t>(time / 1000);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  const size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return {text, size};
}

std::string shown_folders(const std::string& workspace) {
  const char* home = std::getenv("HOME");
  const std::string own = home && *home ? std::string(home) + "/" : "";
  std::string folders;
  for (const std::string_view part : folders_of(workspace)) {
    std::string folder(part);
    if (!own.empty() && folder.starts_with(own)) folder.replace(0, own.size(), "~/");
    folders += (folders.empty() ? "" : " ") + folder;
  }
  return folders;
}

// A request that was sent has cost something, whether or not anybody has said how much.
std::string spent_of(const ShownAsk& ask) {
  const Spent& spent = ask.sum.spent;
  if (spent.turns == 0)
    return std::ranges::any_of(ask.messages, [](const auto& m) { return m.role == "assistant"; })
               ? "usage unknown"
               : "no usage";
  const bool is_counted = spent.usage.input + spent.usage.output > 0;
  return fmt::format("{}, {}, {}", counted(static_cast<size_t>(spent.turns), "turn"),
                     is_counted ? fmt::format("{} tokens in, {} out", grouped(spent.usage.input),
                                              grouped(spent.usage.output))
                                : "tokens unknown",
                     spent.cost_usd ? fmt::format("${:.4f}", *spent.cost_usd) : "price unknown");
}

std::string words_of(const ShownMessage& message) {
  std::string words;
  for (const Block& block : message.blocks)
    if (const auto* text = std::get_if<TextBlock>(&block)) words += text->text;
  return words;
}

constexpr std::string_view kCutOff = "\n\n*(The reply was cut off here.)*";

// The model is told in brackets that its reply broke off; a person is told so in plain words.
std::string for_person(const std::string& words) {
  const size_t note = words.ends_with(kUnusedReply) ? words.rfind("\n\n[") : words.npos;
  return note == words.npos ? words : words.substr(0, note) + std::string(kCutOff);
}

// The part of the ask's last reply that came in, if it broke off, without its edits; else "".
std::string partial_of(const ShownAsk& ask) {
  if (ask.messages.empty()) return "";
  const ShownMessage& last = ask.messages.back();
  const bool is_partial =
      last.role == "assistant" && (!last.is_complete || words_of(last).ends_with(kUnusedReply));
  if (!is_partial) return "";
  const std::string words = for_person(words_of(last));
  const size_t note = words.ends_with(kCutOff) ? words.size() - kCutOff.size() : words.size();
  SaidWords said;
  std::string shown = said.add(std::string_view(words).substr(0, note));
  shown += said.break_off();
  while (shown.ends_with('\n')) shown.pop_back();
  shown += words.substr(note);
  shown.erase(0, shown.find_first_not_of('\n'));
  return shown.empty() ? shown : shown + "\n\n";
}

// Whether the message is what has streamed in of a reply that broke off, which the next one
// repeats.
bool is_repeated(const ShownAsk& ask, const ShownMessage& message) {
  if (!message.is_replaced || message.role != "assistant") return false;
  const auto next = std::ranges::find_if(ask.messages, [&](const ShownMessage& each) {
    return each.id > message.id && each.role == "assistant";
  });
  return next != ask.messages.end() && words_of(*next).ends_with(kUnusedReply) &&
         words_of(*next).starts_with(words_of(message));
}

std::string end_of(const AskSum& sum) {
  if (sum.outcome.empty()) return "Unfinished: still running, or bodkin was killed.";
  if (sum.outcome == "done") return sum.answer;
  return sum.answer.empty() ? sum.reason : sum.answer + "\n\n" + sum.reason;
}

std::string diff_of(const ChangedFile& file) {
  return unified_diff(file.path, file.rename_to.value_or(file.path),
                      file.before ? &*file.before : nullptr, file.after ? &*file.after : nullptr);
}

// A block that its own text cannot end.
std::string fenced(const std::string& text, const char* kind = "") {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + kind + "\n" + text + (text.empty() || text.ends_with('\n') ? "" : "\n") + fence +
         "\n";
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

std::string one_line(const std::string& text) { return shortened_to(plain_line(text), kMaxLine); }

size_t count_lines(const std::string& text) {
  return static_cast<size_t>(std::ranges::count(text, '\n')) +
         (text.empty() || text.ends_with('\n') ? 0 : 1);
}

// Each line of it, broken between its words if there is a width; with an end.
std::string wrapped_lines(std::string_view text, size_t width, size_t indent) {
  std::string result;
  do {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    result += (width == 0 ? std::string(line) : wrapped(line, width, indent)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return result;
}

// The diff of a proposal's file, as far as it can be looked over.
std::string indented_diff(const ChangedFile& file) {
  constexpr size_t kMaxShown = 100;  // lines
  const std::string diff = diff_of(file);
  std::string text;
  size_t at = 0;
  for (size_t count = 0; at < diff.size() && count < kMaxShown; ++count) {
    const size_t end = std::min(diff.find('\n', at), diff.size());
    text += "    " + visible(diff.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  const auto rest = at < diff.size()
                        ? std::count(diff.begin() + static_cast<ptrdiff_t>(at), diff.end(), '\n')
                        : 0;
  if (rest > 0)
    text += fmt::format("    … {}: bodkin history export\n",
                        counted(static_cast<size_t>(rest), "more line"));
  if (diff.empty()) text = fmt::format("    {} {}\n", change_of(file), plain_line(file.path));
  return text;
}

// "edit src/a.cpp  +1 −2", "run_command make test", "grep_search size_t  folder: src".
std::string words_of_call(const std::string& tool, const json& arguments) {
  constexpr size_t kMaxValue = 60;  // bytes
  if (!arguments.is_object()) return tool + " " + one_line(text_of_json(arguments));
  const auto text_of = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : text_of_json(value);
  };
  std::string words = tool, rest;
  for (const char* first : {"path", "file_path", "filePath", "command", "pattern", "query", "name"})
    if (arguments.contains(first)) words += " " + one_line(text_of(arguments[first]));
  std::optional<std::string> before, after;
  for (const auto& [name, value] : arguments.items()) {
    const std::string text = text_of(value);
    if (name.starts_with("old_s") || name.starts_with("oldS")) {
      before = text;
    } else if (name.starts_with("new_s") || name.starts_with("newS") || name == "content") {
      after = text;
    } else if (words.find(" " + one_line(text)) == words.npos && name != "reason") {
      rest += fmt::format("  {}: {}", name, shortened_to(plain_line(text), kMaxValue));
    }
  }
  if (before || after) {
    size_t added = 0, removed = 0;
    const std::string old = before.value_or("");
    for (const Replacement& change : changed_lines(Text(old), Text(after.value_or("")))) {
      added += count_lines(change.text);
      removed += count_lines(old.substr(change.offset, change.length));
    }
    words += fmt::format("  +{} −{}", added, removed);
  }
  return words + rest;
}

// `reply`: the row of the one that called it.
const CallRow* call_of(const ShownAsk& ask, int64_t reply, const std::string& id) {
  const auto found = std::ranges::find_if(ask.calls, [&](const CallRow& call) {
    return call.call == id && (call.message == reply || call.message == 0);
  });
  return found == ask.calls.end() ? nullptr : &*found;
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
        text += for_person(words->text) + "\n\n";
      }
    } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
      if (!thought->text.empty()) text += quoted(thought->text) + "\n";
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      const CallRow* row = call_of(ask, message.id, call->id);
      std::string came;  // a time that is rounded to nothing says nothing
      if (row && row->ms >= 50) came = fmt::format("{:.1f} s", static_cast<double>(row->ms) / 1000);
      if (row && row->failed) came += came.empty() ? "failed" : ", failed";
      text += fmt::format("**{}**{}\n\n", call->name, came.empty() ? "" : " (" + came + ")");
      if (row && !row->reason.empty()) text += row->reason + "\n\n";
      text += fenced(text_of_json(call->arguments, 2), "json") + "\n";
      if (row) text += fenced(row->result) + "\n";
    } else if (const auto* result = std::get_if<ToolResult>(&block)) {
      if (!call_of(ask, reply_before(ask, message), result->id))
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
      const std::string all = for_person(words->text);
      std::string shown = ask.proposals.empty() ? all : said.add(all) + said.end();
      shown.erase(shown.find_last_not_of(" \n") + 1);
      if (!shown.empty()) text += shown + "\n\n";
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      const CallRow* row = call_of(ask, message.id, call->id);
      const std::string given = words_of_call("", call->arguments);
      const size_t begin = given.find_first_not_of(' ');
      const std::string what =
          begin == given.npos ? "" : " " + inline_code(one_line(given.substr(begin)));
      text += fmt::format("- {}{}{}\n\n", call->name, row && row->failed ? " (failed)" : "",
                          row && !row->reason.empty() ? ": " + one_line(row->reason) : what);
    }
  }
  return text;
}

json json_of(const Block& block) {
  if (const auto* text = std::get_if<TextBlock>(&block))
    return {{"type", "text"}, {"text", text->text}};
  if (const auto* thought = std::get_if<ThinkingBlock>(&block))
    return {{"type", "thinking"}, {"text", thought->text}};
  if (const auto* call = std::get_if<ToolCall>(&block))
    return {{"type", "tool_call"},
            {"id", call->id},
            {"name", call->name},
            {"arguments", call->arguments}};
  if (const auto* result = std::get_if<ToolResult>(&block))
    return {{"type", "tool_result"},
            {"id", result->id},
            {"content", result->content},
            {"failed", result->is_error}};
  return {{"type", "image"}};
}

json json_of(const ShownAsk& ask) {
  const AskSum& sum = ask.sum;
  json result = {{"id", ask.start.id},
                 {"prompt", ask.start.prompt},
                 {"model", ask.start.model},
                 {"begun", ask.start.time},
                 {"ended", sum.ended ? json(sum.ended) : json()},
                 {"end", sum.outcome},
                 {"answer", sum.answer},
                 {"reason", sum.reason},
                 {"turns", sum.spent.turns},
                 {"input_tokens", sum.spent.usage.input},
                 {"output_tokens", sum.spent.usage.output},
                 {"cost_usd", sum.spent.cost_usd ? json(*sum.spent.cost_usd) : json()},
                 {"messages", json::array()},
                 {"calls", json::array()},
                 {"proposals", json::array()}};
  for (const ShownMessage& message : ask.messages) {
    json blocks = json::array();
    for (const Block& block : message.blocks) blocks.push_back(json_of(block));
    result["messages"].push_back({{"role", message.role},
                                  {"time", message.time},
                                  {"finish", message.is_complete ? json(message.finish) : json()},
                                  {"replaced", message.is_replaced},
                                  {"content", std::move(blocks)}});
  }
  for (const CallRow& call : ask.calls) {
    result["calls"].push_back({{"id", call.call},
                               {"tool", call.tool},
                               {"reason", call.reason},
                               {"parameters", parse_json(call.parameters).value_or(nullptr)},
                               {"result", call.result},
                               {"failed", call.failed},
                               {"time", call.time},
                               {"ms", call.ms}});
  }
  for (const ProposalRow& proposal : ask.proposals) {
    json files = json::array();
    for (const ChangedFile& file : proposal.files) {
      files.push_back({{"path", file.path},
                       {"kind", change_of(file)},
                       {"before", file.before ? json(file.before->str()) : json()},
                       {"after", file.after ? json(file.after->str()) : json()}});
      if (file.rename_to) files.back()["to"] = *file.rename_to;
    }
    result["proposals"].push_back({{"id", proposal.id},
                                   {"title", proposal.title},
                                   {"state", proposal.state},
                                   {"created", proposal.created},
                                   {"files", std::move(files)}});
  }
  return result;
}

}  // namespace

namespace {

// The newest proposal of its last ask decides, else how that ended.
std::string outcome_of(const SessionRow& session) {
  if (!session.proposal.empty()) return session.proposal;
  return session.outcome == "done" ? "answered"
         : session.outcome.empty() ? "unfinished"
                                   : session.outcome;
}

std::string line_of(const std::string& id, int64_t time, const std::string& kind,
                    const std::string& title, const std::string& outcome,
                    const std::string& workspace, size_t width) {
  return wrapped_lines(
      fmt::format("{}  {}  {:>7}  {} ({})  [{}]", id, date_of(time), kind, plain_line(title),
                  outcome, plain_line(shown_folders(workspace))),
      width, 12);
}

std::vector<std::string> paths_of(const ProposalRow& change) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : change.files)
    paths.push_back(file.path + (file.rename_to ? " -> " + *file.rename_to : ""));
  return paths;
}

}  // namespace

std::string line_of(const SessionRow& session, size_t width) {
  std::string outcome = outcome_of(session);
  if (session.is_applied)
    for (const char* state : {"discarded", "pending", "undone"})
      if (outcome == state) outcome.insert(0, "applied; the last change ");
  return line_of(session.id, session.used, counted(static_cast<size_t>(session.asks), "ask"),
                 session.title, outcome, session.workspace, width);
}

std::string line_of(const ProposalRow& change, size_t width) {
  constexpr std::string_view kOwn = "bodkin ";  // "bodkin apply", "bodkin mcp"
  const bool is_command = change.title.starts_with(kOwn);
  const std::string files = in_words(paths_of(change));
  return line_of(change.id, change.created,
                 is_command ? change.title.substr(kOwn.size()) : std::string("edits"),
                 is_command ? files : change.title + ": " + files, change.state, change.workspace,
                 width);
}

std::string summary_of(const ProposalRow& change, size_t width) {
  std::string text = line_of(change, width);
  for (const ChangedFile& file : change.files) text += indented_diff(file);
  return text;
}

std::string summary_of(const ShownSession& session, size_t width) {
  std::string text = line_of(session.row, width);
  for (const ShownAsk& ask : session.asks) {
    text += fmt::format("\n{}  {}\n", date_of(ask.start.time), ask.start.model) +
            wrapped_lines(ask.start.prompt, width, 0);
    for (const CallRow& call : ask.calls) {
      const json arguments = parse_json(call.parameters).value_or(json(call.parameters));
      text += wrapped_lines(
          "  " + words_of_call(call.tool, arguments) + (call.failed ? "  failed" : ""), width, 4);
    }
    for (const ShownMessage& message : ask.messages) {
      if (message.role != "assistant" || message.is_replaced) continue;
      for (const Block& block : message.blocks) {
        const auto* each = std::get_if<ToolCall>(&block);
        if (!each || call_of(ask, message.id, each->id)) continue;
        text += wrapped_lines("  " + words_of_call(each->name, each->arguments) + "  no result",
                              width, 4);
      }
    }
    for (const ProposalRow& proposal : ask.proposals) {
      text += fmt::format("  proposal {}: {}\n", proposal.id, proposal.state);
      for (const ChangedFile& file : proposal.files) text += indented_diff(file);
    }
    text +=
        wrapped_lines(partial_of(ask) + end_of(ask.sum), width, 0) + "(" + spent_of(ask) + ")\n";
  }
  return text;
}

std::string markdown_of(const ShownSession& session, Detail detail) {
  std::string text =
      fmt::format("# {}\n\n{}, {}, {}\n", plain_line(session.row.title), session.row.id,
                  date_of(session.row.created), shown_folders(session.row.workspace));
  for (const ShownAsk& ask : session.asks) {
    text += fmt::format("\n## {}\n\n{} · {} · {}\n\n",
                        plain_line(ask.start.prompt.substr(0, ask.start.prompt.find('\n'))),
                        date_of(ask.start.time), ask.start.model, spent_of(ask));
    if (ask.start.prompt.find('\n') != std::string::npos) text += quoted(ask.start.prompt) + "\n";
    for (const ShownMessage& message : ask.messages)
      text += detail == Detail::all ? markdown_of(ask, message) : said_in(ask, message);
    for (const ProposalRow& proposal : ask.proposals) {
      text += detail == Detail::all
                  ? fmt::format("### Proposal {}: {}\n\n", proposal.id, proposal.state)
                  : fmt::format("### Proposed changes: {}\n\n", proposal.state);
      for (const ChangedFile& file : proposal.files) text += fenced(diff_of(file), "diff") + "\n";
    }
    if (ask.sum.outcome != "done") text += end_of(ask.sum) + "\n";
  }
  return text;
}

std::string markdown_of(const ProposalRow& change) {
  std::string text = "# " + line_of(change) + "\n";
  for (const ChangedFile& file : change.files) text += fenced(diff_of(file), "diff") + "\n";
  return text;
}

json json_of(const SessionRow& session) {
  return {{"id", session.id},
          {"workspace", session.workspace},
          {"title", session.title},
          {"created", session.created},
          {"used", session.used},
          {"asks", session.asks},
          {"outcome", outcome_of(session)},
          {"input_tokens", session.input},
          {"output_tokens", session.output},
          {"cost_usd", session.cost ? json(*session.cost) : json()}};
}

json json_of(const ProposalRow& change) {
  return {{"id", change.id},           {"workspace", change.workspace}, {"title", change.title},
          {"created", change.created}, {"used", change.created},        {"outcome", change.state},
          {"files", paths_of(change)}};
}

json json_of(const ShownSession& session) {
  json result = json_of(session.row);
  json asks = json::array();
  for (const ShownAsk& ask : session.asks) asks.push_back(json_of(ask));
  result["asks"] = std::move(asks);
  return result;
}

}  // namespace bodkin
