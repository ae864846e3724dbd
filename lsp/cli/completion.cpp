// bodkin completion: what a shell completes, as a script for it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "lsp/cli/manual.h"

namespace bodkin {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> option_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (std::string& name : names_of(*option)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> operand_values(CLI::App& app) {
  std::vector<std::string> values;
  for (const CLI::Option* option : app.get_options()) {
    if (!names_of(*option).empty()) continue;
    for (std::string& value : values_of(*option)) values.push_back(std::move(value));
  }
  return values;
}

// The list that the shell asks the program for when it completes a value. Each script has a
// function _bodkin_list that prints them: the first word of a line is a value, the rest describes
// it.
const char* list_for(const CLI::App& command, const CLI::Option& option) {
  if (option.get_name() == "--profile") return "profiles";
  const bool is_operand = command.get_name() == "history" && option.get_name() == "ID";
  return is_operand || option.get_name() == "--session" ? "sessions" : nullptr;
}

// For bash and zsh.
// Only plain words: a shell may expand what it offers, and profiles are named by files.
constexpr std::string_view kLists = R"(_bodkin_list() {
  case $1 in
    sessions) echo 'last  the latest one'; bodkin history 2>/dev/null ;;
    profiles) bodkin settings --profiles 2>/dev/null | sed '/^$/,$d; /^ /d' ;;
  esac | LC_ALL=C grep -E '^[A-Za-z0-9_-]+( |$)'
}
)";

// The words behind which such a value is meant: the option, or "show", "export", … of an operand.
std::vector<std::string> words_before(CLI::App& command, const CLI::Option& option) {
  std::vector<std::string> words = names_of(option);
  return words.empty() ? operand_values(command) : words;
}

std::string quoted(const std::string& text) {  // for a shell, between single quotes
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

// The values that bash completes after an option that takes one of some: "ask --mode" and these.
std::string bash_values(CLI::App& command) {
  std::string cases;
  for (const CLI::Option* option : command.get_options())
    if (const auto values = values_of(*option); !values.empty())
      for (const std::string& name : names_of(*option))
        cases += fmt::format("    '{} {}') options= values='{}' ;;\n", command.get_name(), name,
                             joined(values));
  for (const CLI::Option* option : command.get_options())
    if (const char* list = list_for(command, *option))
      for (const std::string& word : words_before(command, *option))
        cases += fmt::format("    '{} {}') options= values=$(_bodkin_list {} | cut -d' ' -f1) ;;\n",
                             command.get_name(), word, list);
  return cases;
}

std::string for_bash(CLI::App& app) {
  std::string names, cases, values;
  for (CLI::App* command : commands_of(app)) {
    names += command->get_name() + " ";
    cases += fmt::format("    {}) options='{}' values='{}' ;;\n", command->get_name(),
                         joined(option_names(*command)), joined(operand_values(*command)));
    values += bash_values(*command);
  }
  return fmt::format(R"(# bash completion of bodkin
{}_bodkin() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command= options= values= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      -*) ;;
      *) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  case $command in
    '') options='{}' values='{}' ;;
{}  esac
  case "$command ${{COMP_WORDS[COMP_CWORD-1]}}" in
{}  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$word")) ;;
  esac
}}
complete -o bashdefault -o default -F _bodkin bodkin
)",
                     kLists, joined(option_names(app)), names, cases, values);
}

// In a description, brackets and colons separate for _arguments and _describe.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : quoted(one_line(text))) {
    if (c == '[' || c == ']' || c == ':') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_options(CLI::App& app) {
  std::string result;
  for (const CLI::Option* option : app.get_options()) {
    const auto names = names_of(*option);
    const auto values = values_of(*option);
    const char* list = list_for(app, *option);
    const std::string what = list             ? fmt::format("{{_bodkin_offer {}}}", list)
                             : values.empty() ? "_files"
                                              : "(" + joined(values) + ")";
    for (const std::string& name : names) {
      result += fmt::format(" \\\n        '{}[{}]{}'", name, zsh_text(option->get_description()),
                            takes_value(*option) ? ":value:" + what : "");
    }
    if (names.empty())
      result += fmt::format(" \\\n        '{}:{}:{}'", option->get_expected_max() > 1 ? "*" : "",
                            zsh_text(option->get_name()), what);
  }
  return result;
}

std::string for_zsh(CLI::App& app) {
  std::string names, cases;
  for (CLI::App* command : commands_of(app)) {
    names +=
        fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("      {}) _arguments{} ;;\n", command->get_name(), zsh_options(*command));
  }
  return fmt::format(R"(#compdef bodkin
{}_bodkin_offer() {{
  # In the order of the list: the newest first.
  local -a found=("${{(@f)$(_bodkin_list $1)}}")
  [[ -z $found ]] || compadd -V bodkin -l -d found -- ${{found%% *}}
}}
_bodkin() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    if [[ $words[2] == -* ]]; then
      _arguments{}
    else
      _describe command commands
    fi
  else
    shift words
    ((CURRENT--))
    case $words[1] in
{}    esac
  fi
}}
if [[ $funcstack[1] == _bodkin ]]; then
  _bodkin "$@"
else
  compdef _bodkin bodkin
fi
)",
                     kLists, names, zsh_options(app), cases);
}

std::string fish_options(CLI::App& app, const std::string& condition) {
  std::string result;
  const auto options = app.get_options();
  const bool has_listed_operand = std::ranges::any_of(options, [&](const CLI::Option* option) {
    return names_of(*option).empty() && list_for(app, *option);
  });
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    for (const std::string& name : option->get_snames()) names += " -s " + name;
    for (const std::string& name : option->get_lnames()) names += " -l " + name;
    const auto values = values_of(*option);
    const char* list = list_for(app, *option);
    if (names.empty() && values.empty() && !list) continue;
    const bool is_operand = names.empty();
    std::string where = condition;
    if (list && is_operand)
      where += "; and __fish_seen_subcommand_from " + joined(words_before(app, *option));
    if (!list && is_operand && has_listed_operand)
      where += "; and not __fish_seen_subcommand_from " + joined(values);
    if (list) names += " -k";     // the newest first
    if (list || !values.empty())  // no files beside them
      names += fmt::format("{} -a '{}'", is_operand ? " -f" : " -x",
                           list ? fmt::format("(_bodkin_list {})", list) : joined(values));
    else if (takes_value(*option))
      names += " -r";
    result += fmt::format("complete -c bodkin -n '{}'{} -d '{}'\n", where, names,
                          quoted(one_line(option->get_description())));
  }
  return result;
}

std::string for_fish(CLI::App& app) {
  std::string result =
      R"(# fish completion of bodkin
function _bodkin_list
  switch $argv[1]
    case sessions
      echo 'last  the latest one'
      bodkin history 2>/dev/null
    case profiles
      bodkin settings --profiles 2>/dev/null | sed '/^$/,$d; /^ /d'
  end | string replace -r '\s+' \t
end
complete -c bodkin -n __fish_use_subcommand -f
)" + fish_options(app, "__fish_use_subcommand");
  for (CLI::App* command : commands_of(app)) {
    result += fmt::format("complete -c bodkin -n __fish_use_subcommand -a {} -d '{}'\n",
                          command->get_name(), quoted(one_line(command->get_description())));
    result += fish_options(*command, "__fish_seen_subcommand_from " + command->get_name());
  }
  return result;
}

}  // namespace

std::string completion(CLI::App& app, const std::string& shell) {
  if (shell == "bash") return for_bash(app);
  return shell == "zsh" ? for_zsh(app) : for_fish(app);
}

}  // namespace bodkin
