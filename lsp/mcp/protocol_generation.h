// The two generations of the Model Context Protocol: a session that begins with `initialize` (up to
// 2025-11-25), and stateless requests that name their version in `_meta` (from 2026-07-28 on).
// Each request decides which one it is.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "agent/rpc/connection.h"

namespace bodkin::mcp {

// The client, as a request describes it, or as the connection does for all of its requests.
struct Caller {
  bool is_modern = false;
  nlohmann::json capabilities = nlohmann::json::object();  // of the client
  bool has_roots() const { return capabilities.contains("roots"); }
  bool can_ask_user() const;  // by a form
};

struct Refusal {  // an error response
  rpc::ErrorCode code;
  std::string message;
  nlohmann::json data = nullptr;
};

// The caller of a request with these parameters. `connection`: the one of `initialize`; nullopt: it
// was not sent.
std::expected<Caller, Refusal> caller_of(const nlohmann::json& params,
                                         const std::optional<Caller>& connection);

// The results of initialize and server/discover. `params`: an object.
std::expected<nlohmann::json, Refusal> initialize_result(const nlohmann::json& params);
nlohmann::json discover_result();

// A result in the form of the caller's generation. `is_list`: it may be cached.
nlohmann::json result_for(const Caller& caller, nlohmann::json result, bool is_list = false);

// The instructions that the model reads about all tools; at most 1,500 characters.
extern const char* const kInstructions;

}  // namespace bodkin::mcp
