#include "lsp/cli/recording.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/history/hidden.h"
#include "agent/history/store.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

using nlohmann::json;

namespace {

// The values of the variables that hold keys: those have any form, and a file or a command may
// repeat them.
std::vector<std::string> keys_in_environment() {
  constexpr size_t kShortest = 8;  // bytes; what is shorter may be any word
  std::vector<std::string> keys;
  for (const std::string& variable : os::environment()) {
    const std::string_view all = variable;
    const std::string_view name = all.substr(0, all.find('='));
    const std::string_view value = all.substr(std::min(name.size() + 1, all.size()));
    const bool is_key =
        std::ranges::any_of(std::array{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD"},
                            [&](std::string_view end) { return name.ends_with(end); });
    if (is_key && value.size() >= kShortest) keys.emplace_back(value);
  }
  return keys;
}

std::string without_secrets(std::string text, const std::vector<std::string>& keys) {
  constexpr std::string_view kHidden = "***";  // as comparable() leaves any secret
  for (const std::string& key : keys)
    for (size_t at = 0; (at = text.find(key, at)) != text.npos; at += kHidden.size())
      text.replace(at, key.size(), kHidden);
  return hide_secrets(text);
}

// The texts in it, also the names of members, without secrets.
json without_secrets_in(const json& value, const std::vector<std::string>& keys) {
  if (value.is_string()) return without_secrets(value.get<std::string>(), keys);
  if (!value.is_structured()) return value;
  json result = value.is_object() ? json::object() : json::array();
  if (value.is_object()) {
    for (const auto& [key, each] : value.items())
      result[without_secrets(key, keys)] = without_secrets_in(each, keys);
  } else {
    for (const json& each : value) result.push_back(without_secrets_in(each, keys));
  }
  return result;
}

}  // namespace

json recording_without_secrets(const json& recording) {
  return without_secrets_in(recording, keys_in_environment());
}

bool is_recording(const json& value) { return at(at(value, "ask"), "prompt").is_string(); }

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

json recorded(const Error& error) { return {{"error", error}}; }

Error error_in(const json& from) { return read_as<Error>(at(from, "error")); }

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
  add_prices("price", facts.price);
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

json recorded(const Conversation& conversation) {
  json messages = json::array();
  for (const Message& message : conversation.messages) {
    json parts = json::array();
    for (const Block& block : message.blocks) parts.push_back(part_of(block));
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
  for (const json& each : read_as<std::vector<json>>(at(from, "messages"))) {
    Message message{
        string_at(each, "role") == "user" ? Message::Role::user : Message::Role::assistant, {}};
    for (const MessagePart& part : read_as<std::vector<MessagePart>>(at(each, "parts")))
      if (auto block = block_of(part)) message.blocks.push_back(*std::move(block));
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
