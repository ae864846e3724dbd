// Slash commands: requests that begin with "/fix", "/explain", "/plan", "/test" or "/commit", the
// same through every front end.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bodkin {

struct SlashCommand {
  std::string_view name;         // without the slash
  std::string_view summary;      // for the user
  std::string_view profile;      // empty: the one that was chosen
  std::string_view instruction;  // for the model; what follows the command is appended
  bool is_fix = false;           // the problems that the editor reports are part of the request
};

std::span<const SlashCommand> slash_commands();

// The command that the request begins with, or null: "/usr/lib is missing" begins with none.
// `rest`: the text after it.
const SlashCommand* slash_command_in(std::string_view request, std::string& rest);

// The prompt for the model.
std::string prompt_of(const SlashCommand& command, const std::string& rest);

}  // namespace bodkin
