// Local model servers that answer on loopback now, and what they say of their models. The body
// decides, not the port: 8080 and 8000 belong to many programs.
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
};

struct LocalServer {
  std::string provider;            // ollama | lmstudio | llama.cpp | vllm
  std::string endpoint;            // base URL, as make_model takes it
  std::vector<LocalModel> models;  // may be empty
};

// What a person does not notice. It is the sum of all questions: who answers at all is asked first,
// and has a part of it.
constexpr std::chrono::milliseconds kLocalLimit{300}, kFindLimit{200};

// What one of the servers' usual places answered.
struct LocalAnswer {
  std::string provider, endpoint;
  bool answered = false;              // something did
  std::optional<LocalServer> server;  // and it is the one that is expected there
};
// Asks the usual places side by side, for at most kFindLimit in all. In the order in which `auto`
// takes them (agent/README.md, "Model").
std::vector<LocalAnswer> ask_local_servers();
std::vector<LocalServer> find_local_servers();  // those that are ours

// What answered, by the bodies of two of its addresses (see local_servers.cpp); nothing: none of
// ours.
std::optional<LocalServer> recognise(std::string_view provider, std::string_view endpoint,
                                     std::string_view sign_body, std::string_view models_body);

// What a server at a known place says of `model`, or of its first model where that is empty, until
// `end`. Nothing is known: the name alone, or an empty one.
LocalModel local_model(std::string_view provider, const std::string& base, const std::string& model,
                       const std::string& key, std::chrono::steady_clock::time_point end);
// The same from the bodies: the list, and what describes one model (Ollama's /api/show, llama.cpp's
// /props, LM Studio's /api/v0/models).
LocalModel local_model_in(bool ollama, std::string_view list, std::string_view details,
                          const std::string& model);

// The first model that a server lists under {base}/models, or ""; at most kLocalLimit.
std::string first_model_at(const std::string& base, const std::string& key);

}  // namespace bodkin
