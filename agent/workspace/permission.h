// Permissions: what a model may do without asking, by the user's rules (clients/USERS.md,
// "Permissions"). No workspace file and no tool output can change them. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bodkin {

enum class Access { allow, ask, deny };  // from least to most strict

// The user's answer.
struct Decision {
  enum Choice { once, session, workspace, reject };  // from the shortest; workspace: until revoked
  Choice choice = reject;
  // The user's reason for a rejection, for the model, which goes on; empty: none was given, and the
  // ask ends.
  std::string reason;

  Decision() = default;
  Decision(Choice choice, std::string reason = "") : choice(choice), reason(std::move(reason)) {}
  bool allows() const { return choice != reject; }
  friend bool operator==(const Decision&, const Decision&) = default;
};

// An action of the model's, as shown to the user.
struct Permission {
  std::string kind;          // read | edit | run | mcp; limit and repair have no rules
  std::string subject;       // read, edit: the path; run: the command line; mcp: "server/tool"
  std::string title;         // one line
  std::string detail;        // more lines, may be empty
  std::string version = {};  // of the subject: a grant is for this one
  Decision::Choice longest = Decision::session;  // that it can be allowed for
  bool is_confined = false;                      // run: in a sandbox, without the network
  std::string kept_in = {};                      // the file with what is allowed in the workspace
};

struct AccessRule {
  std::string kind, pattern;  // "*" alone: everything that no other pattern of the kind matches
  Access access = Access::allow;
  std::string problem = {};  // for a rule that denies because it is invalid: what is wrong with it
};

class Permissions {
 public:
  Permissions() = default;  // no rules

  // {"read": "ask", "edit": {"*": "allow", "db/**": "ask", "*.lock": "deny"}}. Order does not
  // matter: of the patterns that match, deny beats ask beats allow, and "*" counts only if no other
  // matches. Without a rule, read and edit are allowed, and run and mcp ask. The patterns of `edit`
  // are globs (agent/workspace/privacy.h); in those of `run` and `mcp`, `*` stands for any
  // characters. A pattern of `run` is matched against each simple command of a line
  // (agent/workspace/command_line.h), and the strictest rule decides. A line that is not clear is
  // never allowed by a pattern, only by {"run": "allow"} without a stricter rule next to it;
  // commands recognized in it are denied or asked about, also those that only may match, for a glob
  // or an expansion in them.
  // `read` takes no patterns, since a search finds many paths; use .bodkinignore to keep files
  // private.
  //
  // Invalid rules deny: a value, whatever its pattern matches; a pattern, its whole kind; an
  // unknown kind, every kind without a valid rule of its own (one of those was meant).
  static Permissions parse(const nlohmann::json& rules);
  // Denies everything; `problem`: why, one sentence for the user.
  static Permissions none(std::string problem);

  // One sentence for the user per invalid rule; empty: all rules are valid.
  const std::vector<std::string>& problems() const { return problems_; }

  // The rule that decides. Nothing matches: a rule without a pattern.
  AccessRule rule_for(std::string_view kind, std::string_view subject) const;

 private:
  AccessRule rule_for_one(std::string_view kind, std::string_view subject) const;
  AccessRule rule_for_line(std::string_view line) const;
  void add(std::string kind, std::string pattern, const nlohmann::json& value);
  void deny(std::string kind, std::string pattern, const std::string& problem);

  std::vector<AccessRule> rules_;
  std::vector<std::string> problems_;
};

}  // namespace bodkin
