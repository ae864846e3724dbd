// Mode: who acts, and what waits for the user (the setting agent.mode).
#pragma once

#include <optional>
#include <string_view>

namespace bodkin {

// confirm: commands ask, and edits become a proposal. automatic ("auto"): proposals in which no
// check found a problem are applied, and commands that no rule is about run if they are confined.
// human: the user gives the commands and edits, and no model is asked. plan: nothing is edited.
enum class Mode { confirm, automatic, human, plan };

// "confirm", "auto", "human", "plan", which are also the values of the setting.
std::string_view name_of(Mode mode);
std::optional<Mode> mode_named(std::string_view name);

}  // namespace bodkin
