#include "lsp/sessions/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "agent/loop/conversation_messages.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/user_folders.h"
#include "agent/support/wire_json.h"
#include "edits/plan/diff.h"
#include "edits/text/shortened.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/history_parts.h"
#include "lsp/sessions/said_words.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxLine = 100;  // bytes of a call's arguments in one line

size_t count_lines(const std::string& text) {
  return static_cast<size_t>(std::ranges::count(text, '\n')) +
         (text.empty() || text.ends_with('\n') ? 0 : 1);
}

}  // namespace

std::string shown_date(int64_t time) {
  const std::time_t seconds = static_cast<std::time_t>(time / 1000);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  const size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return {text, size};
}

std::string shown_folders(const std::string& workspace) {
  const std::string own = home_folder() + "/";
  std::string folders;
  for (const std::string_view part : folders_of(workspace)) {
    std::string folder(part);
    if (own != "/" && folder.starts_with(own)) folder.replace(0, own.size(), "~/");
    folders += (folders.empty() ? "" : " ") + folder;
  }
  return folders;
}

std::string shown_spending(const ShownAsk& ask) {
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

std::string shown_words(const ShownMessage& message) {
  std::string words;
  for (const Block& block : message.blocks)
    if (const auto* text = std::get_if<TextBlock>(&block)) words += text->text;
  return words;
}

std::string without_note_for_model(const std::string& words) {
  const size_t note = words.ends_with(kUnusedReply) ? words.rfind("\n\n[") : words.npos;
  return note == words.npos ? words : words.substr(0, note) + std::string(kReplyCutOff);
}

std::string shown_end(const AskSum& sum) {
  if (sum.outcome.empty()) return "Unfinished: still running, or bodkin was killed.";
  if (sum.outcome == "done") return sum.answer;
  return sum.answer.empty() ? sum.reason : sum.answer + "\n\n" + sum.reason;
}

std::string shown_line(const std::string& text) { return shortened_to(plain_line(text), kMaxLine); }

std::string shown_outcome(const SessionRow& session) {
  if (!session.proposal.empty()) return session.proposal;
  return session.outcome == "done" ? "answered"
         : session.outcome.empty() ? "unfinished"
                                   : session.outcome;
}

std::vector<std::string> shown_paths(const ProposalRow& change) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : change.files)
    paths.push_back(file.path + (file.rename_to ? " -> " + *file.rename_to : ""));
  return paths;
}

const CallRow* call_row(const ShownAsk& ask, int64_t reply, const std::string& id) {
  const auto found = std::ranges::find_if(ask.calls, [&](const CallRow& call) {
    return call.call == id && (call.message == reply || call.message == 0);
  });
  return found == ask.calls.end() ? nullptr : &*found;
}

std::string shown_call(const std::string& tool, const json& arguments) {
  constexpr size_t kMaxValue = 60;  // bytes
  if (!arguments.is_object()) return tool + " " + shown_line(text_of_json(arguments));
  const auto text_of = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : text_of_json(value);
  };
  std::string words = tool, rest;
  for (const char* first : {"path", "file_path", "filePath", "command", "pattern", "query", "name"})
    if (arguments.contains(first)) words += " " + shown_line(text_of(arguments[first]));
  std::optional<std::string> before, after;
  for (const auto& [name, value] : arguments.items()) {
    const std::string text = text_of(value);
    if (name.starts_with("old_s") || name.starts_with("oldS")) {
      before = text;
    } else if (name.starts_with("new_s") || name.starts_with("newS") || name == "content") {
      after = text;
    } else if (words.find(" " + shown_line(text)) == words.npos && name != "reason") {
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

namespace {

// The part of the ask's last reply that came in, if it broke off, without its edits; else "".
std::string partial_of(const ShownAsk& ask) {
  if (ask.messages.empty()) return "";
  const ShownMessage& last = ask.messages.back();
  const bool is_partial =
      last.role == "assistant" && (!last.is_complete || shown_words(last).ends_with(kUnusedReply));
  if (!is_partial) return "";
  const std::string words = without_note_for_model(shown_words(last));
  const size_t note =
      words.ends_with(kReplyCutOff) ? words.size() - kReplyCutOff.size() : words.size();
  SaidWords said;
  std::string shown = said.add(std::string_view(words).substr(0, note));
  shown += said.break_off();
  while (shown.ends_with('\n')) shown.pop_back();
  shown += words.substr(note);
  shown.erase(0, shown.find_first_not_of('\n'));
  return shown.empty() ? shown : shown + "\n\n";
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

std::string line_of(const std::string& id, int64_t time, const std::string& kind,
                    const std::string& title, const std::string& outcome,
                    const std::string& workspace, size_t width) {
  return wrapped_lines(
      fmt::format("{}  {}  {:>7}  {} ({})  [{}]", id, shown_date(time), kind, plain_line(title),
                  outcome, plain_line(shown_folders(workspace))),
      width, 12);
}

}  // namespace

std::string line_of(const SessionRow& session, size_t width) {
  std::string outcome = shown_outcome(session);
  if (!session.applied.empty())
    for (const char* state : {"discarded", "pending", "undone"})
      if (outcome == state) outcome.insert(0, session.applied + "; the last change ");
  return line_of(session.id, session.used, counted(static_cast<size_t>(session.asks), "ask"),
                 session.title, outcome, session.workspace, width);
}

std::string line_of(const ProposalRow& change, size_t width) {
  constexpr std::string_view kOwn = "bodkin ";  // "bodkin apply", "bodkin mcp"
  const bool is_command = change.title.starts_with(kOwn);
  const std::string files = in_words(shown_paths(change));
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
    text += fmt::format("\n{}  {}\n", shown_date(ask.start.time), ask.start.model) +
            wrapped_lines(ask.start.prompt, width, 0);
    for (const CallRow& call : ask.calls) {
      const json arguments = parse_json(call.parameters).value_or(json(call.parameters));
      text += wrapped_lines(
          "  " + shown_call(call.tool, arguments) + (call.failed ? "  failed" : ""), width, 4);
    }
    for (const ShownMessage& message : ask.messages) {
      if (message.role != "assistant" || message.is_replaced) continue;
      for (const Block& block : message.blocks) {
        const auto* each = std::get_if<ToolCall>(&block);
        if (!each || call_row(ask, message.id, each->id)) continue;
        text +=
            wrapped_lines("  " + shown_call(each->name, each->arguments) + "  no result", width, 4);
      }
    }
    for (const ProposalRow& proposal : ask.proposals) {
      text += fmt::format("  proposal {}: {}\n", proposal.id, proposal.state);
      for (const ChangedFile& file : proposal.files) text += indented_diff(file);
    }
    text += wrapped_lines(partial_of(ask) + shown_end(ask.sum), width, 0) + "(" +
            shown_spending(ask) + ")\n";
  }
  return text;
}

}  // namespace bodkin
