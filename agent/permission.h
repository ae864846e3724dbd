// Permissions: what a model may do without asking, by the person's rules (agent.md, "Permissions").
// No file of the workspace and no tool's output can change them. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "edits/result.h"

namespace bodkin {

enum class Access { allow, ask, deny };

// One thing that the model wants to do, as the person is asked.
struct Permission {
  std::string kind;     // read | edit
  std::string subject;  // the path
  std::string title;    // one line
  std::string detail;   // more lines, may be empty
};
enum class Decision { once, always, reject };  // always: in this session

struct AccessRule {
  std::string kind, pattern;  // a glob of agent/privacy.h; "*" alone: everything
  Access access = Access::allow;
};

class Permissions {
 public:
  // {"read": "ask", "edit": {"*": "allow", "db/**": "ask", "*.lock": "deny"}}: the last pattern
  // that matches counts (in the order of the alphabet, "*" first), a kind that is missing is
  // allowed. `read` takes no patterns: what a search finds has many paths, and .bodkinignore keeps
  // files private. Error: invalid_input, with what is wrong.
  static Result<Permissions> parse(const nlohmann::json& rules);

  // The rule that decides; nothing matches: allowed by a rule without a pattern.
  AccessRule rule_for(std::string_view kind, std::string_view subject) const;

 private:
  std::vector<AccessRule> rules_;
};

}  // namespace bodkin
