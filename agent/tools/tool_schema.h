// The schema of an MCP tool's arguments, in a form that the APIs of all models accept.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bodkin {

struct ToolSchema {
  // An object without references, and without a combinator at its top: the properties of its
  // branches are among its own.
  nlohmann::json schema;
  std::string rule;    // what that leaves out, for the description: a JSON Schema; empty: nothing
  std::string reason;  // why the tool cannot be offered, for the user; empty: it can
};

// `schema`: as an MCP server sends it, untrusted. Pure. The server checks the arguments itself.
ToolSchema tool_schema(const nlohmann::json& schema);

}  // namespace bodkin
