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

std::string path_title(const char* verb, const json& arguments) {
  return std::string(verb) + " " + string_of(arguments, "path");
}

struct Row {
  std::string_view name;
  ToolOutcome (*run)(ToolBench&, const json&, const Task&);
  std::string (*title)(const json&);
  bool edits = false;
  bool asks_itself = edits;
  bool (*can_work)(const ToolBench&) = nullptr;  // null: always
};

// Decides: which tools there are.
constexpr Row kTools[] = {
    {"read_file", read_file, [](const json& a) { return path_title("Reading", a); }},
    {"grep_search", grep_search,
     [](const json& a) { return "Searching for " + string_of(a, "query"); }},
    {"list_dir", list_dir, [](const json& a) { return path_title("Listing", a); }},
    {"diagnostics", diagnostics, [](const json& a) { return path_title("Problems of", a); }},
    {"outline", outline_of, [](const json& a) { return path_title("Outline of", a); }},
    {"read_symbol", read_symbol,
     [](const json& a) {
       const std::string name = string_of(a, "name");
       return "Reading " + (name.empty() ? string_of(a, "path") : name);
     }},
    {"find_file", find_file, [](const json& a) { return "Looking for " + string_of(a, "name"); }},
    {"edit", edit, [](const json& a) { return path_title("Editing", a); }, true},
    {"apply_patch", apply_patch, [](const json&) { return std::string("Applying a patch"); }, true},
    {"write_file", write_file, [](const json& a) { return path_title("Writing", a); }, true},
    {"delete_file", delete_file, [](const json& a) { return path_title("Removing", a); }, true},
    {"multi_edit", multi_edit, [](const json& a) { return path_title("Editing", a); }, true},
    {"insert_lines", insert_lines, [](const json& a) { return path_title("Editing", a); }, true},
    {"replace_lines", replace_lines, [](const json& a) { return path_title("Editing", a); }, true},
    {"remove_lines", remove_lines, [](const json& a) { return path_title("Editing", a); }, true},
    {"edit_file", edit_file, [](const json& a) { return path_title("Editing", a); }, true},
    {"undo_edit", undo_edit,
     [](const json& a) { return path_title("Undoing the last edit of", a); }, true},
    {"glob", glob, [](const json& a) { return "Looking for " + string_of(a, "pattern"); }},
    {"diff", diff, [](const json&) { return std::string("Looking at the changes so far"); }},
    {"run_command", run_command,
     [](const json& a) { return "Running " + title_of_command(string_of(a, "command")); }, false,
     true, can_run_commands},
};

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
    tools.push_back({std::move(*spec), row->edits, row->asks_itself, row->title,
                     [run = row->run, &bench](const json& arguments, const Task& task) {
                       return run(bench, arguments, task);
                     }});
  }
  return tools;
}

}  // namespace bodkin
