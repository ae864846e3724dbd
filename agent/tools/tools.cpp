#include "agent/tools/tools.h"

#include <algorithm>

#include "agent/context/profile.h"
#include "agent/platform/processes.h"
#include "agent/sandbox/shell.h"
#include "agent/support/embedded.h"
#include "agent/support/json.h"
#include "agent/tools/command_run.h"
#include "agent/tools/tool_functions.h"

namespace bodkin {

namespace {

using nlohmann::json;

struct Row {
  std::string_view name;
  ToolFunction* run;
  // The user is told these words of a call, and the value of this argument.
  const char *verb, *argument;  // "": none
  bool edits = false;
  bool asks_itself = edits;
  bool (*can_work)(const ToolBench&) = nullptr;  // null: always
};

// Decides: which tools there are.
constexpr Row kTools[] = {
    {"read_file", read_file, "Reading", "path"},
    {"grep_search", grep_search, "Searching for", "query"},
    {"list_dir", list_dir, "Listing", "path"},
    {"diagnostics", diagnostics, "Problems of", "path"},
    {"outline", outline_of, "Outline of", "path"},
    {"read_symbol", read_symbol, "Reading", "name"},
    {"find_file", find_file, "Looking for", "name"},
    {"edit", edit, "Editing", "path", true},
    {"apply_patch", apply_patch, "Applying a patch", "", true},
    {"write_file", write_file, "Writing", "path", true},
    {"delete_file", delete_file, "Removing", "path", true},
    {"multi_edit", multi_edit, "Editing", "path", true},
    {"insert_lines", insert_lines, "Editing", "path", true},
    {"replace_lines", replace_lines, "Editing", "path", true},
    {"remove_lines", remove_lines, "Editing", "path", true},
    {"edit_file", edit_file, "Editing", "path", true},
    {"undo_edit", undo_edit, "Undoing the last edit of", "path", true},
    {"glob", glob, "Looking for", "pattern"},
    {"diff", diff, "Looking at the changes so far", ""},
    {"run_command", run_command, "Running", "command", false, true, can_run_commands},
};

std::string title_of(const Row& row, const json& arguments) {
  if (!*row.argument) return row.verb;
  std::string subject = string_of(arguments, row.argument);
  if (row.run == read_symbol && subject.empty()) subject = string_of(arguments, "path");
  if (row.run == run_command) subject = title_of_command(subject);
  return std::string(row.verb) + " " + subject;
}

}  // namespace

// Decides: what is read as a tool's text: agent/tools/NAME.md.
Result<ToolSpec> load_tool_spec(std::string_view name) {
  const std::string file = "tools/" + std::string(name) + ".md";
  const auto text = embedded_text(file);
  if (!text) return fail(Error::Code::not_found, "Unknown tool \"" + std::string(name) + "\".");
  const size_t split = text->find("\n---\n");
  if (split == std::string_view::npos)
    return fail(Error::Code::invalid_input, file + " has no line \"---\".");
  ToolSpec spec;
  spec.name = name;
  spec.parameters = parse_json(text->substr(0, split)).value_or(json());
  if (!spec.parameters.is_object())
    return fail(Error::Code::invalid_input, file + " has no JSON Schema.");
  spec.description = text->substr(split + 5);
  while (spec.description.ends_with('\n')) spec.description.pop_back();
  return spec;
}

std::vector<std::string> tool_names() {
  std::vector<std::string> names;
  for (const Row& row : kTools) names.emplace_back(row.name);
  return names;
}

bool is_editing_tool(std::string_view name) {
  const auto row = std::ranges::find(kTools, name, &Row::name);
  return row != std::end(kTools) && row->edits;
}

std::vector<Tool> make_tools(std::span<const std::string> names, ToolBench& bench) {
  std::vector<Tool> tools;
  for (const std::string& name : names) {
    auto spec = load_tool_spec(name);
    const auto row = std::ranges::find(kTools, name, &Row::name);
    if (!spec || row == std::end(kTools)) continue;
    if (row->can_work && !row->can_work(bench)) continue;
    if (row->run == run_command) {
      spec->description =
          fill_in(spec->description, {{"confinement", describe_confinement(*bench.shell)}});
      if (os::kShellIsPowerShell)
        spec->parameters["properties"]["command"]["description"] = "for PowerShell";
    }
    tools.push_back({std::move(*spec), row->edits, row->asks_itself,
                     [row](const json& arguments) { return title_of(*row, arguments); },
                     [run = row->run, &bench](const json& arguments, const Task& task) {
                       return run(bench, arguments, task);
                     }});
  }
  return tools;
}

}  // namespace bodkin
