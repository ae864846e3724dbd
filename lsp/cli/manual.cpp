#include "lsp/cli/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include "agent/support/shown_text.h"

namespace bodkin {
namespace {

// A backslash, a hyphen, and a control character at the beginning of a line mean themselves.
std::string roff(std::string_view text) {
  static constexpr std::pair<char, const char*> kNamed[] = {
      {'\\', "\\e"}, {'-', "\\-"}, {'~', "\\(ti"}, {'^', "\\(ha"}, {'`', "\\(ga"}};
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    const auto named = std::ranges::find(kNamed, c, &std::pair<char, const char*>::first);
    result += named == std::end(kNamed) ? std::string(1, c) : named->second;
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

}  // namespace

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

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

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
  std::string page = fmt::format(".TH {} 1 \"\" \"bodkin " BODKIN_VERSION
                                 "\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                 roff(title), roff(name), roff(without_period(summary)));
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
        ".SH COMMANDS\nWithout a command, bodkin is a conversation in a terminal, and else a "
        "language "
        "server on standard input and output.\n";
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

}  // namespace bodkin
