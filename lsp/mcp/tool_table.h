// The tools that `bodkin mcp` offers, and the input and output of a call.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "agent/support/task.h"
#include "lsp/mcp/served_folder.h"
#include "lsp/mcp/shared.h"

namespace bodkin::mcp {

// The user's consent, which only the client can ask for.
struct Word {
  bool can_be_asked = false;
  std::string given_for;  // digest of the change that the user has allowed; or empty
};

struct ToolCall {
  ServedFolder& served;
  const nlohmann::json& arguments;  // they fit the tool's schema
  bool is_read_only;                // the caller says that nothing may be written
  Shared& shared;
  const Task& task;
  const Word& word;
};

// A result for the model. The first line is the verdict; the last may be ids. Failures are results,
// too.
struct ToolText {
  std::string text;
  bool is_error = false;
  // A question to the user, instead of a result: the call is made again with their answer.
  struct Question {
    std::string words;
    std::string change;  // becomes Word::given_for, if they agree
  };
  std::optional<Question> question = std::nullopt;
};
inline ToolText failed(std::string why) { return {std::move(why), true}; }
// `words`: whole lines.
void add_below_verdict(ToolText& result, const std::string& words);

struct ServedTool {
  std::string_view name;
  bool writes;
  bool shows;                            // what files contain is all that it is for
  std::string_view description, schema;  // JSON Schema
  ToolText (*run)(const ToolCall& call);
};
// In the order in which they are listed, which never changes: clients keep it in prompt caches.
std::span<const ServedTool> served_tools();
// The list as tools/list answers it.
nlohmann::json tools_json();

// Opens the folder and runs the tool. Any thread; blocks. Never throws. Secrets are hidden in the
// text, and it is shorter than 8,000 bytes, as much as agents show of one.
ToolText call_tool(const ServedTool& tool, const std::string& root, nlohmann::json arguments,
                   bool is_read_only, Shared& shared, const Word& word, const Task& task);

// change_tools.cpp
ToolText check_patch(const ToolCall& call);
ToolText apply_patch(const ToolCall& call);
ToolText edit(const ToolCall& call);
ToolText undo(const ToolCall& call);
// read_tools.cpp
ToolText read_symbol(const ToolCall& call);
ToolText outline(const ToolCall& call);
ToolText context(const ToolCall& call);
ToolText verify(const ToolCall& call);

}  // namespace bodkin::mcp
