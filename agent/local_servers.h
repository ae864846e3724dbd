// Local model servers that answer on loopback now.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct LocalServer {
  std::string provider;             // ollama | lmstudio | llama.cpp | vllm
  std::string endpoint;             // base URL, as make_model takes it
  std::vector<std::string> models;  // may be empty
};

// Asks the servers' usual ports side by side, for at most `limit` in all. The body decides, not
// the port: 8080 and 8000 belong to many programs. In the order of agent.md ("Model", `auto`).
std::vector<LocalServer> find_local_servers(
    std::chrono::milliseconds limit = std::chrono::milliseconds(300));

// What answered, by the bodies of two of its addresses (see local_servers.cpp); nothing: none of
// ours.
std::optional<LocalServer> recognise(std::string_view provider, std::string_view endpoint,
                                     std::string_view sign_body, std::string_view models_body);

}  // namespace bodkin
