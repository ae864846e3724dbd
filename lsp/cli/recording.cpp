#include "lsp/cli/recording.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "agent/history/hidden.h"
#include "agent/history/message_json.h"
#include "agent/history/store.h"
#include "agent/rpc/lsp_structs.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

using nlohmann::json;

// A name that is not known means the first of its list.
NLOHMANN_JSON_SERIALIZE_ENUM(Severity, {{Severity::error, 1},
                                        {Severity::warning, 2},
                                        {Severity::information, 3},
                                        {Severity::hint, 4}})
NLOHMANN_JSON_SERIALIZE_ENUM(CheckResult::State, {{CheckResult::State::not_checked, "not_checked"},
                                                  {CheckResult::State::clean, "clean"},
                                                  {CheckResult::State::problems, "problems"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Verdict::State, {{Verdict::State::not_checked, "not_checked"},
                                              {Verdict::State::passed, "passed"},
                                              {Verdict::State::failed, "failed"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CheckedProblem, path, line, severity, code, message,
                                                source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CheckResult, state, by, reason, added, fixed,
                                                remaining)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Verdict, state, by, where, reason, output, problems)

namespace {

constexpr std::array kErrorCodes = {std::pair{Error::Code::not_found, "not_found"},
                                    std::pair{Error::Code::stale, "stale"},
                                    std::pair{Error::Code::invalid_input, "invalid_input"},
                                    std::pair{Error::Code::cancelled, "cancelled"},
                                    std::pair{Error::Code::unavailable, "unavailable"}};
constexpr std::array kChoices = {"once", "session", "workspace", "reject"};
constexpr std::array kChangeStates = {"text", "removed", "binary", "large",       "other",
                                      "git",  "mode",    "folder", "folder_gone", "deep"};

template <class Enum, size_t count>
Enum value_named(const std::array<const char*, count>& names, const std::string& name,
                 Enum otherwise) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? otherwise : static_cast<Enum>(found - names.begin());
}

template <class Enum, size_t count>
const char* name_in(const std::array<const char*, count>& names, Enum value) {
  return names[static_cast<size_t>(value)];
}

bool flag_at(const json& from, const char* key) { return at(from, key) == true; }

std::vector<std::string> texts_at(const json& from, const char* key) {
  std::vector<std::string> texts;
  if (const json& list = at(from, key); list.is_array())
    for (const json& each : list)
      if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

}  // namespace

bool is_recording(const json& value) { return at(at(value, "ask"), "prompt").is_string(); }

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

json recorded(const Error& error) {
  const auto found =
      std::ranges::find(kErrorCodes, error.code, &std::pair<Error::Code, const char*>::first);
  return {{"error",
           {{"code", found == kErrorCodes.end() ? "internal" : found->second},
            {"message", error.message}}}};
}

Error error_in(const json& from) {
  const json& error = at(from, "error");
  const std::string name = string_at(error, "code");
  const auto found =
      std::ranges::find_if(kErrorCodes, [&](const auto& each) { return name == each.second; });
  return {found == kErrorCodes.end() ? Error::Code::internal : found->first,
          string_at(error, "message")};
}

json recorded(const SandboxOutcome& outcome) {
  json changes = json::array();
  for (const SandboxChange& change : outcome.changes.list) {
    changes.push_back({{"folder", change.folder},
                       {"path", change.path},
                       {"state", name_in(kChangeStates, change.state)},
                       {"text", change.text},
                       {"ignored", change.is_ignored},
                       {"has_text", change.has_text},
                       {"link", change.is_link},
                       {"moves_work", change.moves_work},
                       {"mode", change.mode},
                       {"time_ns", change.time_ns}});
  }
  return {{"exit_code", outcome.exit_code},    {"output", outcome.output},
          {"hidden", outcome.hidden},          {"ended", outcome.ended},
          {"changes", std::move(changes)},     {"left_out", outcome.changes.left_out},
          {"are_all", outcome.changes.are_all}};
}

SandboxOutcome sandbox_outcome_in(const json& from) {
  SandboxOutcome outcome;
  outcome.exit_code = static_cast<int>(int_at(from, "exit_code"));
  outcome.output = string_at(from, "output");
  outcome.hidden = texts_at(from, "hidden");
  outcome.ended = string_at(from, "ended");
  outcome.changes.left_out = static_cast<uint64_t>(int_at(from, "left_out"));
  outcome.changes.are_all = flag_at(from, "are_all");
  if (const json& changes = at(from, "changes"); changes.is_array()) {
    for (const json& each : changes) {
      SandboxChange& change = outcome.changes.list.emplace_back();
      change.path = string_at(each, "path");  // the replay has one folder
      change.state =
          value_named(kChangeStates, string_at(each, "state"), SandboxChange::State::other);
      change.text = string_at(each, "text");
      change.is_ignored = flag_at(each, "ignored");
      change.has_text = flag_at(each, "has_text");
      change.is_link = flag_at(each, "link");
      change.moves_work = flag_at(each, "moves_work");
      change.mode = static_cast<unsigned>(int_at(each, "mode"));
      change.time_ns = int_at(each, "time_ns");
    }
  }
  return outcome;
}

json recorded(const CheckResult& check) { return check; }

CheckResult check_in(const json& from) {
  return rpc::decode<CheckResult>(from).value_or(CheckResult());
}

json recorded(const FileReport& report) {
  json problems = json::array();
  for (const Diagnostic& problem : report.problems) {
    problems.push_back({{"begin", problem.lines.begin},
                        {"end", problem.lines.end},
                        {"severity", static_cast<int>(problem.severity)},
                        {"message", problem.message},
                        {"source", problem.source},
                        {"code", problem.code}});
  }
  return {{"by", report.by}, {"problems", std::move(problems)}};
}

FileReport report_in(const json& from) {
  FileReport report{string_at(from, "by"), {}};
  const json& problems = at(from, "problems");
  if (!problems.is_array()) return report;
  for (const json& each : problems) {
    Diagnostic& problem = report.problems.emplace_back();
    problem.lines = {static_cast<size_t>(std::max<int64_t>(0, int_at(each, "begin"))),
                     static_cast<size_t>(std::max<int64_t>(0, int_at(each, "end")))};
    problem.severity = static_cast<Severity>(std::clamp<int64_t>(int_at(each, "severity"), 1, 4));
    problem.message = string_at(each, "message");
    problem.source = string_at(each, "source");
    problem.code = string_at(each, "code");
  }
  return report;
}

json recorded(const Verdict& verdict) { return verdict; }

Verdict verdict_in(const json& from) { return rpc::decode<Verdict>(from).value_or(Verdict()); }

json recorded(const Decision& decision) {
  return {{"choice", name_in(kChoices, decision.choice)}, {"reason", decision.reason}};
}

Decision decision_in(const json& from) {
  return {value_named(kChoices, string_at(from, "choice"), Decision::reject),
          string_at(from, "reason")};
}

json recorded(const ModelFacts& facts) {
  json entry = {{"dialect", facts.dialect}, {"edit_format", facts.edit_format}};
  const auto add = [](json& to, const char* name, const auto& value) {
    if (value) to[name] = *value;
  };
  add(entry, "window", facts.window);
  add(entry, "max_output", facts.max_output);
  add(entry, "tools", facts.has_tools);
  add(entry, "images", facts.has_images);
  add(entry, "price_up_to_input", facts.price_up_to_input);
  const auto add_prices = [&](const char* name, const Prices& prices) {
    json price = json::object();
    add(price, "input", prices.input);
    add(price, "output", prices.output);
    add(price, "cache_read", prices.cache_read);
    add(price, "cache_write", prices.cache_write);
    add(price, "cache_write_hour", prices.cache_write_hour);
    if (!price.empty()) entry[name] = std::move(price);
  };
  add_prices("price", {facts.input, facts.output, facts.cache_read, facts.cache_write,
                       facts.cache_write_hour});
  add_prices("price_above", facts.above);
  return entry;
}

json recorded(const Tool& tool) {
  return {{"name", tool.spec.name},
          {"description", tool.spec.description},
          {"parameters", tool.spec.parameters},
          {"title", tool.title ? tool.title(json::object()) : ""}};
}

Tool tool_in(const json& from) {
  Tool tool;
  tool.spec = {string_at(from, "name"), string_at(from, "description"), at(from, "parameters")};
  if (!tool.spec.parameters.is_object()) tool.spec.parameters = {{"type", "object"}};
  tool.asks_itself = tool.checks_arguments = true;
  tool.title = [title = string_at(from, "title")](const json&) { return title; };
  return tool;
}

json recorded(const ToolOutcome& outcome) {
  json images = json::array();
  for (const ImageBlock& image : outcome.images)
    images.push_back({{"type", image.media_type}, {"base64", image.base64}});
  return {{"content", outcome.content},
          {"failed", outcome.is_error},
          {"reason", outcome.reason},
          {"images", std::move(images)}};
}

ToolOutcome tool_outcome_in(const json& from) {
  ToolOutcome outcome;
  outcome.content = string_at(from, "content");
  outcome.is_error = flag_at(from, "failed");
  outcome.reason = string_at(from, "reason");
  if (const json& images = at(from, "images"); images.is_array())
    for (const json& each : images)
      outcome.images.push_back({string_at(each, "type"), string_at(each, "base64")});
  return outcome;
}

json recorded(const Conversation& conversation) {
  json messages = json::array();
  for (const Message& message : conversation.messages) {
    json parts = json::array();
    for (const Block& block : message.blocks) {
      const MessagePart part = part_of(block);
      parts.push_back({{"kind", part.kind},
                       {"text", part.text},
                       {"content", part.content},
                       {"data", part.data}});
    }
    messages.push_back({{"role", message.role == Message::Role::user ? "user" : "assistant"},
                        {"parts", std::move(parts)}});
  }
  SessionState state = state_of(conversation);
  return {{"system", std::move(state.system)},
          {"state", std::move(state.rest)},
          {"messages", std::move(messages)}};
}

Conversation conversation_in(const json& from) {
  Conversation conversation;
  conversation.system = string_at(from, "system");
  set_state(conversation, at(from, "state"));
  const json& messages = at(from, "messages");
  if (!messages.is_array()) return conversation;
  for (const json& each : messages) {
    Message message{
        string_at(each, "role") == "user" ? Message::Role::user : Message::Role::assistant, {}};
    if (const json& parts = at(each, "parts"); parts.is_array()) {
      for (const json& part : parts) {
        auto block = block_of({string_at(part, "kind"), string_at(part, "text"),
                               string_at(part, "content"), at(part, "data")});
        if (block) message.blocks.push_back(*std::move(block));
      }
    }
    if (!message.blocks.empty()) conversation.messages.push_back(std::move(message));
  }
  return conversation;
}

std::string comparable(std::string text, const std::string& root) {
  const auto replace_all = [&](const std::string& what, const std::string& with) {
    for (size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += with.size())
      text.replace(at, what.size(), with);
  };
  replace_all(root, "/workspace");
  // A secret is a marker to the model, and stars in a recording's files.
  for (const auto& [marker, count] : markers_in(text)) replace_all(marker, "***");
  text = without_secret_bytes(std::move(text));
  for (size_t at = 0; (at = text.find("***", at)) != text.npos; at += 3) {
    const size_t end = std::min(text.find_first_not_of('*', at), text.size());
    text.replace(at, end - at, "***");
  }
  return text;
}

std::string told_in(const ModelRequest& request, const std::string& root) {
  std::string told;
  for (const Message& message : request.messages) {
    if (message.role == Message::Role::assistant) {
      told.clear();
      continue;
    }
    for (const Block& block : message.blocks) {
      if (const auto* text = std::get_if<TextBlock>(&block)) told += text->text + "\n";
      if (const auto* result = std::get_if<ToolResult>(&block)) told += result->content + "\n";
    }
  }
  return comparable(std::move(told), root);
}

}  // namespace bodkin
