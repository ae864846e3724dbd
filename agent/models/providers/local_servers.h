// Local model servers that answer on loopback now, and what they report about their models. They
// are identified by the response body, not the port: many programs use 8080 and 8000.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct LocalModel {
  std::string name;
  std::optional<int64_t> window = {};  // tokens, as the server runs it now
  std::optional<bool> has_tools = {}, has_images = {};
  bool is_ollama = false;     // it answers Ollama's own API
  bool cuts_prompts = false;  // an Ollama that does not: it cuts what does not fit
};

struct LocalServer {
  std::string provider;            // ollama | lmstudio | llama.cpp | vllm
  std::string endpoint;            // base URL, as make_model takes it
  std::vector<LocalModel> models;  // may be empty
};

// Too short for the user to notice. kLocalLimit is for everything; kFindLimit, a part of it, is for
// finding out which servers answer at all.
constexpr std::chrono::milliseconds kLocalLimit{300}, kFindLimit{200};

// The answer of a server at one of the default addresses.
struct LocalAnswer {
  std::string provider, endpoint;
  bool answered = false;              // something answered
  std::optional<LocalServer> server;  // if it is the expected one
};
// Queries the default addresses in parallel, for at most kFindLimit in all. In the order in which
// `auto` tries them (agent/README.md, "Model").
std::vector<LocalAnswer> ask_local_servers();
std::vector<LocalServer> find_local_servers();  // only the recognized ones

// Tells which server answered, by the bodies of two of its URLs (see local_servers.cpp); nothing:
// none of the known ones.
std::optional<LocalServer> recognize(std::string_view provider, std::string_view endpoint,
                                     std::string_view sign_body, std::string_view models_body);

// Asks the server at a known address about `model`, or its first model if that is empty; waits
// until `end`. If it reports nothing: only the name, or an empty one. What it reported about a
// model within the last minute is not asked again: that would take as long as the rest of an ask.
LocalModel local_model(std::string_view provider, const std::string& base, const std::string& model,
                       const std::string& key, std::chrono::steady_clock::time_point end);
// The same from the response bodies: the list, and the description of one model (Ollama's
// /api/show, llama.cpp's /props, LM Studio's /api/v0/models).
LocalModel local_model_in(bool ollama, std::string_view list, std::string_view details,
                          const std::string& model);

// The first model that a server lists under {base}/models, or ""; at most kLocalLimit.
std::string first_model_at(const std::string& base, const std::string& key);

}  // namespace bodkin
