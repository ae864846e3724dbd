#include "agent/context/slash_commands.h"

namespace bodkin {

namespace {

// Decides: which slash commands there are.
constexpr SlashCommand kSlashCommands[] = {
    {"fix", "Fix the problems that the editor reports", "", "Fix these problems.", true},
    {"explain", "Explain the code; changes nothing", "explain",
     "Explain what this code does, and what is surprising about it."},
    {"plan", "Make a plan; changes nothing", "plan", "Make a plan for this."},
    {"test", "Write tests for the code", "",
     "Write tests for this code, in the style and the place of the project's existing tests."},
    {"commit", "Write a commit message for what is staged; changes nothing", "explain",
     "Write the commit message for @staged: a subject of at most 72 characters that says what "
     "changes, and, unless it is plain from that, an empty line and the reason in lines of at most "
     "72. Reply with the message alone."},
};

}  // namespace

std::span<const SlashCommand> slash_commands() { return kSlashCommands; }

const SlashCommand* slash_command_in(std::string_view request, std::string& rest) {
  const size_t begin = request.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || request[begin] != '/') return nullptr;
  request.remove_prefix(begin + 1);
  const std::string_view name = request.substr(0, request.find_first_of(" \t\r\n"));
  for (const SlashCommand& command : kSlashCommands) {
    if (command.name != name) continue;
    request.remove_prefix(name.size());
    const size_t from = request.find_first_not_of(" \t\r\n");
    rest = from == std::string_view::npos ? "" : request.substr(from);
    return &command;
  }
  return nullptr;
}

std::string prompt_of(const SlashCommand& command, const std::string& rest) {
  if (rest.empty()) return std::string(command.instruction);
  return command.is_fix ? rest : std::string(command.instruction) + "\n\n" + rest;
}

}  // namespace bodkin
