// Model: one request to a language model. Adapters translate it to a provider's wire format and do
// nothing else (agent/README.md, "Model" and "Wire facts").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agent/support/task.h"
#include "edits/text/result.h"

namespace bodkin {

// `provider_state` is sent back verbatim with the next request (a signature, an encrypted item, a
// thought signature); null: nothing. Adapters ignore what another wire format left there.
struct TextBlock {
  std::string text;
  nlohmann::json provider_state = nullptr;
};
struct ThinkingBlock {
  std::string text;
  nlohmann::json provider_state = nullptr;
};
struct ToolCall {
  std::string id, name;
  nlohmann::json arguments = nlohmann::json::object();
  nlohmann::json provider_state = nullptr;
  std::string malformed;  // not empty: the arguments, which are not JSON; `arguments` is then {}
  std::string repaired = {};  // what of the name and arguments was, in words; empty: nothing
};
struct ToolResult {
  std::string id, name;  // of the call
  std::string content;
  bool is_error = false;
};
struct ImageBlock {
  std::string media_type, base64;
};
using Block = std::variant<TextBlock, ThinkingBlock, ToolCall, ToolResult, ImageBlock>;

struct Message {
  enum class Role { user, assistant };
  Role role = Role::user;
  std::vector<Block> blocks;  // the results of one turn's calls come first, in one user message
};

struct ToolSpec {
  std::string name, description;
  nlohmann::json parameters;  // JSON Schema
  // If it is not empty, the tool has one argument, `input`, of this form (a Lark grammar), which is
  // sent as it is where the API has free-form tools.
  std::string grammar = {};
};

struct ModelRequest {
  std::string system;
  std::vector<Message> messages;
  std::vector<ToolSpec> tools;
  std::optional<int> max_tokens;
  std::optional<double> temperature = {};  // nothing: the provider's own
  std::vector<std::string> stop = {};      // of a text to be continued: what ends it
  // How long the model may think: one of kEfforts. auto: as long as it does by itself, but its
  // thoughts are requested. Empty: the request mentions neither.
  std::string effort = {};
  bool stream = true;
};

inline constexpr const char* kEfforts[] = {"auto", "none", "low", "medium", "high", "max"};

struct Usage {  // tokens; `input` is the whole prompt, cached parts included
  int64_t input = 0, cache_read = 0, cache_write = 0, output = 0, reasoning = 0;
  int64_t cache_write_hour = 0;  // of cache_write: kept for an hour, which costs more
};

enum class StopReason { end_turn, tool_use, max_tokens, refusal, other };
inline std::string_view name_of(StopReason reason) {
  constexpr std::string_view kNames[] = {"end_turn", "tool_use", "max_tokens", "refusal", "other"};
  return kNames[static_cast<size_t>(reason)];
}

struct ModelReply {
  Message message;  // role assistant; blocks in the order in which they came
  StopReason stop_reason = StopReason::other;
  Usage usage;
  std::string refusal;        // the provider's words, if sent separately from the text
  std::string cut_call = {};  // the tool of a call that is left out: the reply was cut off in it
  // Set if the text has something that looks like a tool call and cannot be one: text for the
  // model, and one line for the user.
  std::string wrong_call = {}, wrong_call_reason = {};
};

// A request that failed. `kind` is one of: authentication, permission, not_found, invalid_request,
// context_length, rate_limit, quota, overloaded, server, network, timeout, truncated, protocol,
// cancelled (bodkin complete, "error").
struct ModelError {
  std::string kind;
  std::string message;             // with the provider's own words, never a key
  int status = 0;                  // HTTP status; 0: none
  std::string provider_kind = {};  // the provider's own error type ("overloaded_error"), if any
  std::string setting = {};        // that can fix it: "agent.contextWindow"; or empty
};

struct Prices {  // USD per million tokens
  std::optional<double> input = {}, output = {}, cache_read = {}, cache_write = {};
  std::optional<double> cache_write_hour = {};
};

// The facts known about a model besides its name; empty: unknown.
struct ModelFacts {
  std::optional<int64_t> window = {}, max_output = {};  // tokens
  std::optional<bool> has_tools = {}, has_images = {};
  Prices price = {};  // cache_write_hour is known: the API keeps prompts for an hour
  // The dialect whose tools it is trained on (agent/tools/dialect.h), and the format in which it
  // writes edits best (agent/context/edit_format.h); empty: not known.
  std::string dialect = {}, edit_format = {};
  // How thinking is turned off, for Anthropic's models that choose how long they think: "disabled",
  // "between_tools"; "always": it cannot be; "unasked": they only think when asked to. For any
  // model: "never", if its server says that it does not think.
  std::string thinks = {};
  std::optional<int64_t> price_up_to_input = {};  // a longer prompt costs `above`
  Prices above = {};
};

class Model {
 public:
  virtual ~Model() = default;
  // Blocks until the reply ended. Text and thought deltas go to task.report as they arrive.
  // A stop request ends the transfer within 100 ms with kind `cancelled`. A reply that ended
  // before its terminal event is an error of kind `truncated`.
  virtual std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                        const Task& task) = 0;
  virtual std::string description() const = 0;  // "qwen3-coder at http://127.0.0.1:11434"
  virtual bool has_tools() const = 0;
  // No request is expected soon: closes connections; the next request reconnects.
  virtual void rest() {}
  // From the table of models, the user's own entries, and what a local server reports.
  virtual ModelFacts facts() const { return {}; }
};

}  // namespace bodkin
