#include "lsp/acp/turn_updates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "agent/context/symbols.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"

namespace bodkin::acp {

namespace {

constexpr const char* kMessage = "agent_message_chunk";
constexpr size_t kMaxCall = 20'000;  // bytes of a call's arguments, and of its result

// "main.cpp: 2 edits" and "Editing main.cpp": the file's absolute path. Nullopt if there is none
// yet.
std::optional<std::string> file_named_in(const std::string& title, const Roots& roots) {
  const std::string named = title.substr(0, title.find(": "));
  const size_t verb = named.find(' ');
  for (const std::string& name : {named, verb == named.npos ? "" : named.substr(verb + 1)}) {
    const auto place = roots.find(name);
    std::error_code error;
    if (place && std::filesystem::is_regular_file(place->absolute, error)) return place->absolute;
  }
  return std::nullopt;
}

// The kind that the title of a call suggests, before more is known of it.
const char* kind_of_title(std::string_view title) {
  return title.starts_with("Running ")     ? "execute"
         : title.starts_with("Reading ")   ? "read"
         : title.starts_with("Searching ") ? "search"
                                           : "other";
}

// The first changed line of a unified diff, in the new text, from 1; 0: there is none.
size_t first_line_of(std::string_view diff) {
  const size_t mark = diff.find("\n@@ ");
  const size_t plus = mark == diff.npos ? mark : diff.find('+', mark);
  if (plus == diff.npos) return 0;
  size_t line = 0;
  std::from_chars(diff.data() + plus + 1, diff.data() + diff.size(), line);
  for (size_t at = diff.find('\n', plus); at + 1 < diff.size() && diff[at + 1] == ' '; ++line)
    at = std::min(diff.find('\n', at + 1), diff.size() - 1);
  return std::max(line, size_t{1});
}

Json plan_entries(const std::string& plan) {
  Json entries = Json::array();
  for (std::string_view line : split_lines(plan)) {
    const size_t indent = line.find_first_not_of(" \t");
    if (indent == line.npos) continue;
    line.remove_prefix(indent);
    // "1. …", "- …" and "* …": the steps.
    size_t mark = 0;
    while (mark < line.size() && line[mark] >= '0' && line[mark] <= '9') ++mark;
    const bool is_numbered =
        mark > 0 && mark < line.size() && (line[mark] == '.' || line[mark] == ')');
    const bool is_item = is_numbered || (mark == 0 && (line[0] == '-' || line[0] == '*'));
    if (!is_item || mark + 1 >= line.size() || line[mark + 1] != ' ' || indent > 1) continue;
    entries.push_back({{"content", plain_line(line.substr(mark + 2))},
                       {"priority", "medium"},
                       {"status", "pending"}});
  }
  return entries;
}

}  // namespace

std::string TurnUpdates::new_call() { return fmt::format("call-{}-{}", turn_, ++calls_); }

void TurnUpdates::stream(const char* kind, const std::string& words) {
  if (words.empty()) return;
  const bool is_new = !streaming_ || std::string_view(streaming_) != kind;
  if (is_new) ++messages_;
  streaming_ = kind;
  // Editors show messages that follow each other as one.
  const bool is_message = kind == kMessage;
  const std::string gap = is_new && is_message && has_words_ ? "\n\n" : "";
  has_words_ = is_message;
  send(message_chunk(kind, gap + words, fmt::format("message-{}-{}", turn_, messages_)));
}

void TurnUpdates::end_words() { stream(kMessage, said_.end()); }

void TurnUpdates::say(std::string_view words) {
  end_words();
  streaming_ = nullptr;
  stream(kMessage, std::string(words));
  streaming_ = nullptr;
}

void TurnUpdates::flush_text(const std::string& words) {
  end_words();
  const std::string rest = said_.rest_of(words);
  if (rest.empty()) return;
  said_.note(rest);
  say(rest);
}

void TurnUpdates::report(const Progress& progress) {
  using Kind = Progress::Kind;
  if (progress.kind == Kind::draft) return;  // it is shown once, with its verdict
  const bool is_in_reply = progress.kind == Kind::text || progress.kind == Kind::thought ||
                           progress.kind == Kind::editing;
  if (!is_in_reply) end_words();
  switch (progress.kind) {
    case Kind::text:
      return stream(kMessage, said_.add(progress.text));
    case Kind::thought:
      return stream("agent_thought_chunk", progress.text);
    case Kind::tool:
    case Kind::editing:
      return begin_call(progress);
    case Kind::step:
      return end_call(progress);
    case Kind::plan: {
      Json entries = plan_entries(progress.text);
      if (!entries.empty()) send({{"sessionUpdate", "plan"}, {"entries", std::move(entries)}});
      return flush_text(progress.text);
    }
    case Kind::note:
      return say(progress.text);
    case Kind::status:
      streaming_ = nullptr;  // what follows is another reply
      return;
    case Kind::verifying:
    case Kind::waiting:
    case Kind::draft:
      return;  // the editor shows that a turn runs
  }
}

// The reply's edits are reported again and again as they stream in: "main.cpp: 2 edits".
void TurnUpdates::begin_call(const Progress& progress) {
  end_message();
  const bool edits = progress.kind == Progress::Kind::editing;
  const bool is_new = open_call_.empty();
  if (is_new) open_call_ = new_call();
  Json update = {{"sessionUpdate", is_new ? "tool_call" : "tool_call_update"},
                 {"toolCallId", open_call_},
                 {"title", title_text(progress.text)}};
  if (is_new) update["status"] = "in_progress";
  if (is_new) update["kind"] = edits ? "edit" : kind_of_title(progress.text);
  if (edits) {
    if (const auto file = file_named_in(progress.text, roots_))
      update["locations"] = Json::array({{{"path", *file}}});
  }
  send(std::move(update));
}

void TurnUpdates::end_call(const Progress& progress) {
  end_message();
  const Step& step = *progress.step;
  const bool is_new = open_call_.empty();
  const std::string id = is_new ? new_call() : std::exchange(open_call_, "");
  const std::string tool = step.tool.empty() ? "edit" : step.tool;
  Json update = {{"sessionUpdate", is_new ? "tool_call" : "tool_call_update"},
                 {"toolCallId", id},
                 {"kind", kind_of_tool(tool)},
                 {"status", step.failed ? "failed" : "completed"}};
  if (is_new) update["title"] = title_text(progress.text);
  Json content = Json::array();
  Json locations = Json::array();
  std::string words;
  for (const Step::File& file : step.files) {
    if (!file.diff.empty()) words += file.diff;
    const auto place = roots_.find(file.moved_to.empty() ? file.path : file.moved_to);
    if (!place) continue;
    Json location = {{"path", place->absolute}};
    if (const size_t line = first_line_of(file.diff); line > 0) location["line"] = line;
    locations.push_back(std::move(location));
  }
  // The draft's diffs are not `diff` items: the user is asked about those.
  if (!words.empty()) content.push_back(text_content("```diff\n" + words + "```"));
  if (step.failed && !step.reason.empty()) content.push_back(text_content(step.reason));
  if (step.command) {
    const std::string& output = step.command->output;
    content.push_back(text_content((output.empty() ? "" : fenced(output + "\n")) +
                                   fmt::format("exit {}", step.command->exit_code)));
  }
  if (!content.empty()) update["content"] = std::move(content);
  if (!locations.empty()) update["locations"] = std::move(locations);
  if (!step.call.arguments.empty() && step.call.arguments.size() <= kMaxCall)
    if (auto arguments = parse_json(step.call.arguments))
      update["rawInput"] = *std::move(arguments);
  send(std::move(update));
}

std::string TurnUpdates::call_to_permit(std::string_view title, const char* kind) {
  if (!open_call_.empty()) return open_call_;
  end_words();
  end_message();
  open_call_ = new_call();
  send({{"sessionUpdate", "tool_call"},
        {"toolCallId", open_call_},
        {"title", title_text(title)},
        {"kind", kind},
        {"status", "in_progress"}});
  return open_call_;
}

void TurnUpdates::end(std::string_view reason) {
  end_words();
  if (open_call_.empty()) return;
  send({{"sessionUpdate", "tool_call_update"},
        {"toolCallId", std::exchange(open_call_, "")},
        {"status", "failed"},
        {"content", Json::array({text_content(reason)})}});
}

}  // namespace bodkin::acp
