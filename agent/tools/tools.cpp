#include "agent/tools/tools.h"

#include <algorithm>

#include "agent/support/embedded.h"
#include "agent/support/fnv1a.h"
#include "agent/support/json.h"
#include "agent/tools/command_run.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/secrets.h"

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
    {"run_command", run_command,
     [](const json& a) { return "Running " + title_of_command(string_of(a, "command")); }, false,
     true, can_run_commands},
};

bool fits_type(const std::string& type, json& value) {
  if (type == "string") return value.is_string();
  if (type == "boolean") {
    if (value == "true" || value == "false") value = value == "true";
    return value.is_boolean();
  }
  if (type == "integer") {
    if (value.is_number_float() && value.get<double>() >= 0 && value.get<double>() < 1e15) {
      value = static_cast<int64_t>(value.get<double>());
    }
    if (value.is_string()) {
      const std::string& digits = value.get_ref<const std::string&>();
      if (!digits.empty() && digits.size() < 16 &&
          digits.find_first_not_of("0123456789") == std::string::npos) {
        value = std::stoll(digits);
      }
    }
    // A number above 2^63 cannot be a line number.
    return value.is_number_integer() &&
           (!value.is_number_unsigned() || value.get<uint64_t>() < (uint64_t{1} << 53));
  }
  return true;
}

}  // namespace

uint64_t hash_of(const Text& raw) {
  const Text text(hide_secrets(raw.str()));
  uint64_t hash = fnv1a("");
  for (size_t offset = 0; offset < text.size();) {
    const std::string_view chunk = text.chunk_at(offset);
    hash = fnv1a(chunk, hash);
    offset += chunk.size();
  }
  return hash;
}

Result<ToolSpec> load_tool_spec(std::string_view name) {
  for (const EmbeddedText& file : embedded_texts()) {
    if (file.name != "tools/" + std::string(name) + ".md") continue;
    const size_t split = file.text.find("\n---\n");
    if (split == std::string_view::npos) {
      return fail(Error::Code::invalid_input, std::string(file.name) + " has no line \"---\".");
    }
    ToolSpec spec;
    spec.name = name;
    spec.parameters = parse_json(file.text.substr(0, split)).value_or(json());
    if (!spec.parameters.is_object()) {
      return fail(Error::Code::invalid_input, std::string(file.name) + " has no JSON Schema.");
    }
    spec.description = file.text.substr(split + 5);
    while (spec.description.ends_with('\n')) spec.description.pop_back();
    return spec;
  }
  return fail(Error::Code::not_found, "Unknown tool \"" + std::string(name) + "\".");
}

std::optional<std::string> coerce_arguments(const ToolSpec& spec, json& arguments) {
  if (!arguments.is_object()) return spec.name + ": the arguments must be an object.";
  const json& properties = spec.parameters["properties"];
  for (auto argument = arguments.begin(); argument != arguments.end();) {  // null: not given
    argument = argument->is_null() ? arguments.erase(argument) : std::next(argument);
  }
  if (spec.parameters.contains("required")) {
    for (const std::string name : spec.parameters["required"]) {
      if (!arguments.contains(name)) return spec.name + ": \"" + name + "\" is missing.";
    }
  }
  for (auto& [name, value] : arguments.items()) {
    if (!properties.contains(name)) continue;
    const std::string type = properties[name]["type"];
    if (!fits_type(type, value))
      return spec.name + ": \"" + name + "\" must be of type " + type + ".";
  }
  return std::nullopt;
}

std::vector<Tool> make_tools(std::span<const std::string> names, ToolBench& bench) {
  std::vector<Tool> tools;
  for (const std::string& name : names) {
    auto spec = load_tool_spec(name);
    const auto row = std::ranges::find(kTools, name, &Row::name);
    if (!spec || row == std::end(kTools)) continue;
    if (row->can_work && !row->can_work(bench)) continue;
    tools.push_back({std::move(*spec), row->edits, row->asks_itself, row->title,
                     [run = row->run, &bench](const json& arguments, const Task& task) {
                       return run(bench, arguments, task);
                     }});
  }
  return tools;
}

}  // namespace bodkin
