// WireFormat: what a provider's API expects and sends, as functions. Each format has its own file,
// which builds requests and reads replies, and knows nothing of HTTP, retries or where keys come
// from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/models/wire/reply_builder.h"

namespace bodkin {

// The address and the manner in which a request is sent.
struct Wire {
  std::string base;  // base URL without a trailing slash
  std::string model;
  std::string key;          // may be empty
  std::string api_version;  // empty: the format's default
  bool bearer = false;      // Anthropic: the key is a token (ANTHROPIC_AUTH_TOKEN)
  bool openai = false;   // the real service's own fields (max_completion_tokens, prompt_cache_key)
  bool azure = false;    // the key goes into "api-key"; Chat: the model into the URL
  bool mistral = false;  // Chat: ids of calls have nine characters
  bool strict = false;   // Chat: the server refuses unknown fields
  std::optional<int64_t> window = {}, max_output = {};  // tokens, if known
  std::string thinks = {};                              // as in ModelFacts
  bool keeps_an_hour = false;  // Anthropic: the tools and the system text stay cached for an hour
};

struct WireFormat {
  std::string_view name;
  bool ndjson;  // one JSON object per line; else server-sent events
  std::string (*url)(const Wire&, const ModelRequest&);
  std::vector<std::string> (*headers)(const Wire&);
  // The URL at which the server lists its models ({"data": [{"id"}]} or {"models": [{"name"}]});
  // "": there is none.
  std::string (*models_url)(const Wire&);
  nlohmann::json (*body)(const Wire&, const ModelRequest&);
  // Reads one event of a stream; ignores unknown ones. Sets ended/stop/error of the reply.
  void (*read)(ReplyBuilder& reply, std::string_view event, const nlohmann::json& data);
  // Reads the body of a reply that was not streamed.
  void (*read_whole)(ReplyBuilder& reply, const nlohmann::json& body);
  bool takes_gif = true;  // accepts GIF images
  // Returns what the thoughts in the reply to this request are bound to: later requests include
  // them only while it is the same. Null: they are not bound.
  std::string (*bound_to)(const Wire&, const nlohmann::json& body) = nullptr;
  bool done_is_enough = false;  // "[DONE]" ends a reply that says no reason why it ends
};

// Tokens of an Ollama's window, unless the user says otherwise: more costs memory that a desktop
// lacks.
constexpr int64_t kOllamaWindow = 32768;

extern const WireFormat kAnthropic, kOpenaiChat, kOpenaiResponses, kGemini, kOllama;
// These continue a text (ModelSettings::continues_text); a request has its one text alone.
extern const WireFormat kCompletions, kOllamaGenerate;

// "{base}/v1/messages", even if the base already ends with the version.
std::string join_url(const std::string& base, std::string_view version, std::string_view path);
// Used by both of OpenAI's formats. Azure lists what could be deployed, not what is.
std::string openai_models_url(const Wire& wire);
// The key as OpenAI and most others take it; Azure has a header of its own. Empty: there is none.
std::vector<std::string> bearer_header(const Wire& wire);
// A call's id as a format accepts it: at most `most` letters, digits, '_' and '-', or, if `exact`,
// exactly that many letters and digits. The id of another provider, in a conversation that
// continues with this one, may be replaced, always by the same one.
std::string wire_id(const std::string& id, size_t most, bool exact = false);
// A tool's name as every format accepts it: 1 to 64 letters, digits, '_' and '-'. A model may have
// called a tool that does not exist, by any name; a service would refuse all further requests of
// that conversation.
std::string wire_name(std::string_view name);
// Gemini's, behind any API: "gemini-2.5-pro": 2.5; 0: of another name.
double gemini_generation(const Wire& wire);
// From Gemini 3 on, a turn's first call needs a signature. kNoSignature replaces one that is lost
// or that is another model's.
bool needs_signatures(const Wire& wire);
inline constexpr char kNoSignature[] = "skip_thought_signature_validator";
// An effort in OpenAI's words, as this model has it.
std::string openai_effort(const Wire& wire, const std::string& effort);
// Equal for all requests of a conversation: OpenAI caches prompts per key.
std::string cache_key(const ModelRequest& request);
// [{"type": "function", "function": {"name", "description", "parameters"}}]: Chat and Ollama.
nlohmann::json function_tools(const std::vector<ToolSpec>& tools);

}  // namespace bodkin
