// Dialect: a provider's wire form as four functions. Each dialect is one pair of request and reader
// in its own file and knows nothing of HTTP, retries or keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/models/wire/reply_builder.h"
#include "agent/models/wire/wire_error.h"

namespace bodkin {

// Where and how a request is sent.
struct Wire {
  std::string base;  // base URL without a slash at its end
  std::string model;
  std::string key;          // may be empty
  std::string api_version;  // empty: the dialect's default
  bool bearer = false;      // Anthropic: the key is a token (ANTHROPIC_AUTH_TOKEN)
  bool openai = false;   // the real service's own fields (max_completion_tokens, prompt_cache_key)
  bool azure = false;    // the key goes into "api-key"; Chat: the model into the URL
  bool mistral = false;  // Chat: ids of calls have nine letters
  bool strict = false;   // Chat: fields that it does not know are refused
  std::optional<int64_t> window = {}, max_output = {};  // tokens, where they are known
};

struct Dialect {
  std::string_view name;
  bool ndjson;  // one JSON object a line; else server-sent events
  std::string (*url)(const Wire&, const ModelRequest&);
  std::vector<std::string> (*headers)(const Wire&);
  nlohmann::json (*body)(const Wire&, const ModelRequest&);
  // One event of a stream. Unknown ones are ignored. Sets ended/stop/error of the reply.
  void (*read)(ReplyBuilder& reply, std::string_view event, const nlohmann::json& data);
  // The body of a reply that was not streamed.
  void (*read_whole)(ReplyBuilder& reply, const nlohmann::json& body);
  bool takes_gif = true;  // among the images
};

extern const Dialect kAnthropic, kOpenaiChat, kOpenaiResponses, kGemini, kOllama;

// "{base}/v1/messages", also where the base ends with the version.
std::string join_url(const std::string& base, std::string_view version, std::string_view path);
// The id of a call as a dialect takes it: at most `most` letters, digits, '_' and '-', or, if
// `exact`, just so many letters and digits. Another provider's, when a conversation goes on with
// this one, may become another word, always the same.
std::string wire_id(const std::string& id, size_t most, bool exact = false);
// The same for all requests of a conversation: OpenAI keeps those together that name one key.
std::string cache_key(const ModelRequest& request);
std::string dump(const nlohmann::json& value);  // UTF-8, invalid bytes replaced

}  // namespace bodkin
