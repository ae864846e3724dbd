#include "agent/workspace/permission.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "agent/support/wildcard.h"
#include "agent/workspace/command_line.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

struct PermissionKind {
  std::string_view name;
  Access otherwise;  // what no rule names
  bool takes_patterns;
};
constexpr PermissionKind kPermissionKinds[] = {{"read", Access::allow, false},
                                               {"edit", Access::allow, true},
                                               {"run", Access::ask, true},
                                               {"mcp", Access::ask, true}};

const PermissionKind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kPermissionKinds, name, &PermissionKind::name);
  return found == std::end(kPermissionKinds) ? nullptr : &*found;
}

std::optional<Access> access_named(const nlohmann::json& name) {
  if (name == "allow") return Access::allow;
  if (name == "ask") return Access::ask;
  if (name == "deny") return Access::deny;
  return std::nullopt;
}

// Paths have one spelling, so a pattern with another one would protect nothing.
bool is_pattern_of_paths(std::string_view pattern) {
  if (pattern.starts_with(' ') || pattern.ends_with(' ')) return false;
  // glob_matches does not support nested, unclosed or long brace lists, unclosed sets and extended
  // globs: they would match less than expected.
  size_t words = 1, depth = 0, in_braces = 1;
  char before = '/';
  for (const char c : pattern) {
    if (c == '(' && std::string_view("!@+?*").find(before) != std::string_view::npos) return false;
    if (c == '[' && pattern.find(']') == std::string_view::npos) return false;
    if (c == '{' && ++depth > 1) return false;
    if (c == '}' && depth-- == 0) return false;
    if (c == ',' && depth == 0 && pattern.find('*') != std::string_view::npos) return false;
    before = c;
    if (c == ',') ++in_braces;
    if (c == '}') words *= std::exchange(in_braces, 1);
    if (words > 64) return false;
  }
  if (depth > 0) return false;
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  return is_plain_path(pattern);
}

bool rule_matches(const AccessRule& rule, std::string_view subject) {
  if (rule.pattern == "*") return true;
  if (rule.kind == "edit") return glob_matches(rule.pattern, subject);
  // To ask or deny, it is enough that the open parts of the command may match the pattern.
  if (rule.kind == "run" && rule.access != Access::allow)
    return wildcard_matches(rule.pattern, subject, CommandLine::kAnything);
  return wildcard_matches(rule.pattern, subject);
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

Permissions Permissions::parse(const nlohmann::json& rules) {
  Permissions result;
  // An empty table of Lua comes as an array.
  if (rules.is_null() || (rules.is_array() && rules.empty())) return result;
  if (!rules.is_object()) {
    return none(
        "bodkin.agent.permissions must be an object; everything is denied until this is "
        "corrected.");
  }
  for (const auto& [name, value] : rules.items()) {
    const PermissionKind* kind = find_kind(name);
    if (!kind) continue;
    if (!value.is_object() && !(value.is_array() && value.empty())) {
      result.add(name, "*", value);
    } else if (!kind->takes_patterns && !value.empty()) {
      result.deny(
          name, "",
          in_quotes(name) +
              " does not take patterns (use .bodkinignore to keep files private); it is denied");
    } else {
      for (const auto& [pattern, access] : value.items()) result.add(name, pattern, access);
    }
  }
  for (const auto& [name, value] : rules.items()) {
    if (find_kind(name)) continue;
    const std::string problem =
        "unknown kind " + in_quotes(name) + "; use \"read\", \"edit\", \"run\" and \"mcp\"";
    for (const PermissionKind& kind : kPermissionKinds) {
      if (!rules.contains(kind.name))
        result.deny(std::string(kind.name), "", problem + "; everything without a rule is denied");
    }
    // Every valid kind is also named, so nothing else could have been meant; it is still reported.
    if (std::ranges::all_of(kPermissionKinds, [&](const PermissionKind& each) {
          return rules.contains(each.name);
        })) {
      result.problems_.push_back("bodkin.agent.permissions: " + problem + ".");
    }
  }
  std::vector<std::string> told;
  for (std::string& problem : result.problems_) {
    if (std::ranges::find(told, problem) == told.end()) told.push_back(std::move(problem));
  }
  result.problems_ = std::move(told);
  return result;
}

Permissions Permissions::none(std::string problem) {
  Permissions result;
  for (const PermissionKind& kind : kPermissionKinds) {
    result.rules_.push_back({std::string(kind.name), "", Access::deny, problem});
  }
  result.problems_.push_back(std::move(problem));
  return result;
}

void Permissions::add(std::string kind, std::string pattern, const nlohmann::json& value) {
  if (pattern.empty() || (kind == "edit" && !is_pattern_of_paths(pattern))) {
    return deny(kind, "",
                in_quotes(kind) + ": " + in_quotes(pattern) +
                    " matches nothing (a folder is \"db/**\"); it is denied");
  }
  const auto access = access_named(value);
  if (access) {
    rules_.push_back({std::move(kind), std::move(pattern), *access});
    return;
  }
  std::string what = in_quotes(kind);
  if (pattern != "*") what += ": " + in_quotes(pattern);
  what += " must be \"allow\", \"ask\" or \"deny\"";
  if (pattern == "*" && find_kind(kind)->takes_patterns)
    what += ", or an object of patterns with these values";
  deny(kind, pattern, what + "; it is denied");
}

// An empty pattern means the whole kind.
void Permissions::deny(std::string kind, std::string pattern, const std::string& problem) {
  const std::string sentence = "bodkin.agent.permissions: " + problem + " until this is corrected.";
  problems_.push_back(sentence);
  rules_.push_back({std::move(kind), std::move(pattern), Access::deny, sentence});
}

// Decides: which permission rule counts.
AccessRule Permissions::rule_for(std::string_view kind, std::string_view subject) const {
  return kind == "run" ? rule_for_line(subject) : rule_for_one(kind, subject);
}

AccessRule Permissions::rule_for_line(std::string_view line) const {
  const CommandLine read = read_command_line(line);
  std::optional<AccessRule> strictest;
  for (const CommandLine::Command& command : read.commands) {
    for (const std::string& subject : {command.written, command.meant}) {
      AccessRule rule = rule_for_one("run", subject);
      const bool is_stricter = !strictest || rule.access > strictest->access;
      // If two rules are alike, the one that the user wrote counts: the mode auto keeps to it.
      const bool is_named =
          strictest && rule.access == strictest->access && strictest->pattern.empty();
      if (is_stricter || is_named) strictest = std::move(rule);
    }
  }
  if (!strictest) strictest = rule_for_one("run", "");
  for (const std::string& subject : read.inner) {
    for (const AccessRule& rule : rules_) {
      const bool is_named = rule.kind == "run" && rule.pattern != "*" && !rule.pattern.empty();
      const bool is_stricter = rule.access > strictest->access ||
                               (rule.access == strictest->access && strictest->pattern.empty());
      if (is_named && is_stricter &&
          wildcard_matches(rule.pattern, subject, CommandLine::kAnything))
        strictest = rule;
    }
  }
  const bool is_decided = strictest->access == Access::deny ||
                          (strictest->access == Access::ask && !strictest->pattern.empty());
  if (read.is_clear || is_decided) return *strictest;
  const bool may_run_all = std::ranges::all_of(rules_, [](const AccessRule& rule) {
    return rule.kind != "run" || rule.access == Access::allow;
  });
  const auto general = std::ranges::find_if(
      rules_, [](const AccessRule& rule) { return rule.kind == "run" && rule.pattern == "*"; });
  if (may_run_all && general != rules_.end()) return *general;
  // Any of the rules may be about it.
  const auto strict = std::ranges::find_if(rules_, [](const AccessRule& rule) {
    return rule.kind == "run" && rule.access != Access::allow;
  });
  return {"run", strict == rules_.end() ? "" : strict->pattern, Access::ask};
}

AccessRule Permissions::rule_for_one(std::string_view kind, std::string_view subject) const {
  const PermissionKind* known = find_kind(kind);
  AccessRule decided{std::string(kind), "", known ? known->otherwise : Access::deny};
  const AccessRule* general = nullptr;
  bool is_named = false;
  for (const AccessRule& rule : rules_) {
    if (rule.kind != kind) continue;
    if (!rule.problem.empty() && rule.pattern.empty()) return rule;  // the whole kind
    if (rule.pattern == "*") {
      general = &rule;
    } else if (rule_matches(rule, subject) && (!is_named || rule.access > decided.access)) {
      decided = rule;
      is_named = true;
    }
  }
  return is_named || !general ? decided : *general;
}

}  // namespace bodkin
