// Profile: how the agent works with a model, as data (profiles/*.json): the parts of the prompt,
// the tools, how edits are made. The user's own have the same form, and replace built-in ones of
// the same name.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/context/edit_format.h"
#include "edits/text/result.h"

namespace bodkin {

using TemplateVariables = std::map<std::string, std::string, std::less<>>;

// The templates of a profile whose replies are commands; empty in all others.
struct ShellTemplates {
  std::string instance;      // the request
  std::string observation;   // what a command gave
  std::string format_error;  // the reply had no command, or several
  std::string timeout;       // the command was ended before its end
  std::string limits;        // the ask has ended by a limit
};

// In a profile's tools, represents all tools of the user's MCP servers.
inline constexpr char kMcpTools[] = "mcp";

struct Profile {
  std::string name;
  std::string sentence;            // what it is, for the user
  std::string system;              // the template: all parts, joined
  std::vector<std::string> tools;  // names, in the order in which the model sees them
  bool edits_in_text = false;      // edit blocks in the reply are applied
  bool teaches_format = false;     // the system prompt says how to write them
  bool is_shell = false;           // each reply is one command
  bool own_tools = false;          // our own tools are offered, unless a dialect is chosen
  bool is_plan = false;            // the answer is a plan, and what commands change is dropped
  ShellTemplates shell;
};

// The variables a template of the system prompt may use; their values are set for each ask.
inline constexpr std::string_view kTemplateVariables[] = {
    "folder", "platform", "system", "release",  "version",   "machine",
    "date",   "git",      "map",    "guidance", "model_name"};

// `own`: the user's folder of profiles; empty if there is none. The first of these counts for a
// part P of the profile NAME: the user's NAME.P.md, the built-in one, the same of the profile that
// it is like, the built-in P.md. Error: not_found, or invalid_input, which names the file: a
// template with an unknown variable, a missing part, an unknown tool. A test loads all compiled-in
// profiles. `guide`: if not empty, it replaces the part `tools`, for other tools than ours. The
// built-in part `blocks` is the guide of `format` (agent/context/edit_format.h).
Result<Profile> load_profile(std::string_view name, const std::string& own = "",
                             std::string_view guide = "",
                             std::string_view format = kDefaultEditFormat);

// The profile of the prompt for a chat outside of the editor: nobody chooses it.
inline constexpr std::string_view kChatProfile = "chat";

// The names of all built-in profiles to choose from, then those of the user's own, each once.
struct ProfileName {
  std::string name;
  std::string file;  // of the user's; empty: it is built in
};
std::vector<ProfileName> profile_names(const std::string& own);

// Error: invalid_input, if `text` has a {{variable}} that is not in `known`, or a {% statement %}.
Result<void> check_template(std::string_view text, const std::vector<std::string_view>& known);

// Replaces each {{variable}} once; values are not expanded again.
std::string fill_in(std::string_view text, const TemplateVariables& variables);

}  // namespace bodkin
