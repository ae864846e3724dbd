#include "agent/permission.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "agent/privacy.h"

namespace bodkin {

namespace {

std::optional<Access> access_named(const nlohmann::json& name) {
  if (name == "allow") return Access::allow;
  if (name == "ask") return Access::ask;
  if (name == "deny") return Access::deny;
  return std::nullopt;
}

}  // namespace

Result<Permissions> Permissions::parse(const nlohmann::json& rules) {
  Permissions result;
  if (rules.is_null()) return result;
  if (!rules.is_object()) {
    return fail(Error::Code::invalid_input, "agent.permissions must be an object.");
  }
  for (const auto& [kind, value] : rules.items()) {
    if (kind != "read" && kind != "edit") {
      return fail(Error::Code::invalid_input,
                  "agent.permissions knows \"read\" and \"edit\", not \"" + kind + "\".");
    }
    if (kind == "read" && value.is_object()) {
      return fail(
          Error::Code::invalid_input,
          "agent.permissions: \"read\" takes no patterns; .bodkinignore keeps files private.");
    }
    nlohmann::json patterns = value;
    if (!value.is_object()) patterns = {{"*", value}};
    // '*' sorts before letters: what is special comes after what is general.
    for (const auto& [pattern, name] : patterns.items()) {
      const auto access = access_named(name);
      if (!access) {
        return fail(Error::Code::invalid_input, "agent.permissions: " + kind +
                                                    " must be \"allow\", \"ask\" or \"deny\", or "
                                                    "patterns with these.");
      }
      result.rules_.push_back({kind, pattern, *access});
    }
  }
  return result;
}

AccessRule Permissions::rule_for(std::string_view kind, std::string_view subject) const {
  AccessRule decided{std::string(kind), "", Access::allow};
  for (const AccessRule& rule : rules_) {
    if (rule.kind != kind) continue;
    if (rule.pattern == "*" || glob_matches(rule.pattern, subject)) decided = rule;
  }
  return decided;
}

}  // namespace bodkin
