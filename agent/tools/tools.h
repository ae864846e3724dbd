// The tools that a model can call. The text for the model and the JSON Schema stand in
// tools/<name>.md; here is what they do.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"
#include "agent/placing/placing.h"

namespace bodkin {

// What one ask's tools work on. All outlive the tools.
struct ToolBench : EditContext {
  Workspace& shown;            // the draft as the model sees it
  Editor* editor;              // may be null
  Conversation& conversation;  // `seen`
  const Shell* shell = nullptr;  // null: no commands run
};

// What a call came to. Always text: a tool that failed is a result, not an Error.
struct ToolOutcome {
  std::string content;
  bool is_error = false;
  bool edited = false;  // the draft has changed
  std::string reason;   // of an error, for the person; empty: the first line of the content
};

struct Tool {
  ToolSpec spec;
  bool edits = false;                                     // a failure of it is a failed edit
  bool asks_itself = false;                               // for the permission that it needs
  std::string (*title)(const nlohmann::json& arguments);  // one line for the person
  std::function<ToolOutcome(const nlohmann::json& arguments, const Task&)> run;
};

// The named tools, in that order; a name without a row in tools.cpp is left out, and a tool that
// cannot work here. load_profile only checks that each has its text.
std::vector<Tool> make_tools(std::span<const std::string> names, ToolBench& bench);

// The spec of tools/<name>.md. Error: not_found, invalid_input.
Result<ToolSpec> load_tool_spec(std::string_view name);

// What is wrong with a call's arguments, for the model; nothing if they fit the schema. Numbers and
// booleans that came as strings are put right, unknown arguments are let pass.
std::optional<std::string> coerce_arguments(const ToolSpec& spec, nlohmann::json& arguments);

// Whether a model has seen this text of a file: of two that look the same to it they are the same.
uint64_t hash_of(const Text& text);

}  // namespace bodkin
