// ShellReplies: an ask of a profile whose replies are one command each. On the ask's thread.
#pragma once

#include <optional>
#include <string>

#include "agent/context/profile.h"

namespace bodkin {

struct AskState;

class ShellReplies {
 public:
  struct Step {
    std::string message;                // for the model; empty: nothing is to be said
    std::optional<std::string> answer;  // the submitted answer, for the user
    std::string format_error;           // for the user; empty: a command was read
    std::string repetition;             // the same again and again: that, for the user; or empty
  };

  explicit ShellReplies(AskState& state) : state_(state) {}  // outlives this

  // Sets the variables of the templates, from the task and the environment.
  void set_variables(TemplateVariables variables) { variables_ = std::move(variables); }
  // … of the model: requests in this ask and their cost.
  void set_spent(const Spent& spent);

  // Runs the reply's command, if it has exactly one. Blocks.
  Step take(const std::string& reply);
  // Tells the model that a reply had `count` commands.
  std::string format_error(size_t count, const std::string& problem = "") const;
  // … and when a limit has ended the ask.
  std::string limits(const std::string& reason) const;

 private:
  std::string filled(const std::string& text, TemplateVariables own) const;

  AskState& state_;
  TemplateVariables variables_;
  std::string last_;  // command and what came of it
  int repeated_ = 0;
};

}  // namespace bodkin
