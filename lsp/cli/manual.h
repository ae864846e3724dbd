// The manual and the shells' completions, made of the tables of the command line (subcommands.h).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bodkin {

// A page in man(7)'s macros: bodkin(1), or the subcommand's; "" if there is no such subcommand.
std::string manual_page(CLI::App& app, const std::string& command);

std::vector<CLI::App*> commands_of(CLI::App& app);
std::string one_line(std::string text);
bool takes_value(const CLI::Option& option);
// The names of an option, "-h" and "--help", or none of an operand.
std::vector<std::string> names_of(const CLI::Option& option);
// The values that it may have, if they are listed: CLI11 describes them as "{list,show}".
std::vector<std::string> values_of(const CLI::Option& option);

// `shell`: bash, zsh or fish.
std::string completion(CLI::App& app, const std::string& shell);

}  // namespace bodkin
