#include "lsp/cli/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

namespace bodkin {
namespace {

std::vector<CLI::App*> commands_of(CLI::App& app) {
  auto all = app.get_subcommands([](const CLI::App*) { return true; });
  std::sort(all.begin(), all.end(),
            [](const CLI::App* a, const CLI::App* b) { return a->get_name() < b->get_name(); });
  return all;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The names of an option, "-h" and "--help", or none of an operand.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// --- the manual ---

// A backslash, a hyphen, and a control character at the beginning of a line mean themselves.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '~') {
      result += "\\(ti";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '`') {
      result += "\\(ga";
    } else {
      result += c;
    }
  }
  return result;
}

// Prose is filled; what is in columns stays as it is.
std::string section_text(const std::string& body) {
  bool in_columns = false;
  std::string prose, columns;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view inner = std::string_view(line).substr(std::min<size_t>(2, line.size()));
    // JSON, too, whose names a fill would hyphenate.
    in_columns |= inner.find("  ") != std::string_view::npos || inner.starts_with('{');
    prose += inner.empty() ? ".PP\n" : roff(inner) + "\n";
    columns += inner.empty() ? ".sp\n" : roff(inner) + "\n";
  }
  return in_columns ? ".nf\n" + columns + ".fi\n" : prose;
}

// The text below the options in --help: sections, whose titles are in capitals at the margin.
std::string footer_text(const std::string& footer) {
  std::string result, body;
  const auto end_section = [&] {
    while (body.ends_with("\n\n")) body.pop_back();
    result += section_text(body);
    body.clear();
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == ' ') {
      if (!body.empty() || !line.empty()) body += line + "\n";
      continue;
    }
    end_section();
    result += ".SH " + roff(line) + "\n";
  }
  end_section();
  return result;
}

std::string option_text(const CLI::Option& option) {
  std::string head;
  for (const std::string& name : names_of(option)) {
    if (!head.empty()) head += ", ";
    head += "\\fB" + roff(name) + "\\fR";
  }
  if (head.empty()) {
    head = "\\fI" + roff(option.get_name()) + "\\fR";
  } else if (takes_value(option)) {
    head += " \\fI" + roff(option.get_type_name()) + "\\fR";
  }
  return ".TP\n" + head + "\n" + roff(one_line(option.get_description())) + "\n";
}

// --- completions ---

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

std::string quoted(const std::string& text) {  // for a shell, between single quotes
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

// What bash completes after an option that takes one of some values: " ask --mode" and these.
std::string bash_values(CLI::App& command) {
  std::string cases;
  for (const CLI::Option* option : command.get_options())
    if (const auto values = values_of(*option); !values.empty())
      for (const std::string& name : names_of(*option))
        cases += fmt::format("    '{} {}') options= values='{}' ;;\n", command.get_name(), name,
                             joined(values));
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
_bodkin() {{
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
                     joined(option_names(app)), names, cases, values);
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
    const std::string what = values.empty() ? "_files" : "(" + joined(values) + ")";
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
                     names, zsh_options(app), cases);
}

std::string fish_options(CLI::App& app, const std::string& condition) {
  std::string result;
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    for (const std::string& name : option->get_snames()) names += " -s " + name;
    for (const std::string& name : option->get_lnames()) names += " -l " + name;
    const auto values = values_of(*option);
    if (names.empty() && values.empty()) continue;
    if (!values.empty())  // no files beside them
      names += std::string(names.empty() ? " -f" : " -x") + " -a '" + joined(values) + "'";
    else if (takes_value(*option))
      names += " -r";
    result += fmt::format("complete -c bodkin -n '{}'{} -d '{}'\n", condition, names,
                          quoted(one_line(option->get_description())));
  }
  return result;
}

std::string for_fish(CLI::App& app) {
  std::string result =
      "# fish completion of bodkin\ncomplete -c bodkin -n __fish_use_subcommand -f\n" +
      fish_options(app, "__fish_use_subcommand");
  for (CLI::App* command : commands_of(app)) {
    result += fmt::format("complete -c bodkin -n __fish_use_subcommand -a {} -d '{}'\n",
                          command->get_name(), quoted(one_line(command->get_description())));
    result += fish_options(*command, "__fish_seen_subcommand_from " + command->get_name());
  }
  return result;
}

}  // namespace

std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t from = type.find('{'), to = type.find('}');
  std::vector<std::string> values;
  if (from == std::string::npos || to == std::string::npos) return values;
  std::istringstream list(type.substr(from + 1, to - from - 1));
  for (std::string value; std::getline(list, value, ',');) values.push_back(value);
  return values;
}

std::string manual_page(CLI::App& app, const std::string& command) {
  CLI::App* about = &app;
  if (!command.empty()) {
    const auto all = commands_of(app);
    const auto found =
        std::ranges::find_if(all, [&](CLI::App* one) { return one->get_name() == command; });
    if (found == all.end()) return {};
    about = *found;
  }
  const std::string name = command.empty() ? "bodkin" : "bodkin-" + command;
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
  std::string summary = one_line(about->get_description());
  if (command.empty()) summary = summary.substr(summary.find(": ") + 2);
  while (summary.ends_with('.')) summary.pop_back();
  std::string page = fmt::format(".TH {} 1 \"\" \"bodkin " BODKIN_VERSION
                                 "\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                 roff(title), roff(name), roff(summary));
  page += "\\fBbodkin" + (command.empty() ? "" : " " + roff(command)) + "\\fR [\\fIOPTIONS\\fR]";
  std::string options;
  for (const CLI::Option* option : about->get_options()) {
    options += option_text(*option);
    if (!names_of(*option).empty()) continue;
    page += " " +
            fmt::format(fmt::runtime(option->get_required() ? "\\fI{}\\fR" : "[\\fI{}\\fR]"),
                        roff(option->get_name())) +
            (option->get_expected_max() > 1 ? "..." : "");
  }
  if (command.empty()) page += " [\\fICOMMAND\\fR]";
  page += "\n.SH OPTIONS\n" + options;
  if (command.empty()) {
    page +=
        ".SH COMMANDS\nWithout a command, bodkin is a language server on standard input and "
        "output.\n";
    for (CLI::App* one : commands_of(app)) {
      page += fmt::format(".TP\n\\fBbodkin {}\\fR\n{}; see \\fBbodkin\\-{}\\fR(1)\n",
                          roff(one->get_name()), roff(one_line(one->get_description())),
                          roff(one->get_name()));
    }
  } else {
    page += footer_text(about->get_footer()) + ".SH SEE ALSO\n\\fBbodkin\\fR(1)\n";
  }
  return page;
}

std::string completion(CLI::App& app, const std::string& shell) {
  if (shell == "bash") return for_bash(app);
  return shell == "zsh" ? for_zsh(app) : for_fish(app);
}

}  // namespace bodkin
