// Profile: how the agent works with a model, as data (profiles/*.json): the parts of the prompt,
// the tools, the way of editing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

struct Profile {
  std::string name;
  std::string system;              // the template: all parts, joined
  std::vector<std::string> tools;  // names, in the order in which the model sees them
  bool edits_in_text = false;      // edit blocks in the reply are applied
};

using TemplateVariables = std::map<std::string, std::string, std::less<>>;

// The variables a template may use; their values are set for each ask.
inline constexpr std::string_view kTemplateVariables[] = {"folder", "platform", "date",
                                                          "git",    "guidance", "map"};

// Error: not_found, or invalid_input for a template with an unknown variable, a missing part, or a
// tool without its text. A test loads all compiled-in profiles.
// `guide`: if not empty, it takes the place of the part `tools`, for other tools than ours.
Result<Profile> load_profile(std::string_view name, std::string_view guide = "");

// Error: invalid_input, if `text` has a {{variable}} that is not in `known`.
Result<void> check_template(std::string_view text, const std::vector<std::string_view>& known);

// Replaces each {{variable}} once; values are not expanded again.
std::string fill_in(std::string_view text, const TemplateVariables& variables);

}  // namespace bodkin
