// Decodes the messages of an MCP server. They are untrusted: sizes are limited, text that would act
// is made visible, and what a model's API would refuse is left out. Pure. (Model Context Protocol,
// 2024-11-05 to 2026-07-28, "Tools".)
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"

namespace bodkin {

struct McpTool {
  std::string name;     // as the server calls it
  ToolSpec spec;        // for the model, under another name
  std::string version;  // changes with the description and the schema
};

struct McpToolList {
  static constexpr size_t kMax = 40;            // tools of one server
  static constexpr size_t kMaxBytes = 200'000;  // of their descriptions and schemas

  std::vector<McpTool> tools;
  std::vector<std::string> left_out;  // "name (why)" each, for the user
  size_t bytes = 0;

  // One element of `tools` in the result of tools/list.
  void add(std::string_view server, const nlohmann::json& tool);
  void leave_out(const std::string& name, const std::string& why);
};

// Returns a tool's name for the model: "server__tool", at most 64 of [A-Za-z0-9_-], and none that
// is taken.
std::string name_for_model(std::string_view server, std::string_view tool,
                           const std::function<bool(const std::string&)>& is_taken);

struct McpResult {
  std::string text;  // for the model; not yet truncated
  bool is_error = false;
  std::vector<ImageBlock> images;
};
// The result of tools/call. `takes_images`: the model does.
McpResult read_mcp_result(const nlohmann::json& result, bool takes_images);

}  // namespace bodkin
