#include "agent/tools/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/platform/paths.h"
#include "agent/support/embedded.h"
#include "agent/support/path_text.h"
#include "agent/tools/shell_words.h"
#include "agent/tools/tools.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr std::string_view kFolder = "tools/dialects/";

ForeignTool read_tool(const json& from) {
  ForeignTool tool;
  tool.spec = {from.at("name"), from.at("description"), from.at("parameters"),
               from.value("grammar", "")};
  tool.reason = from.value("reason", "");
  tool.says = from.value("says", "");
  tool.is_offered = from.value("offered", true);
  tool.renamed = from.value("renamed", tool.renamed);
  tool.notes = from.value("notes", tool.notes);
  tool.ignored = from.value("ignored", tool.ignored);
  tool.hidden = from.value("hidden", tool.hidden);
  tool.needs = from.value("needs", "");
  tool.observation = from.value("observation", false);
  for (const json& one : from.at("cases")) {
    tool.cases.push_back({one.value("when", json::object()), one.value("arguments", json::object()),
                          one.value("tool", ""), one.value("answer", ""),
                          one.value("unneeded", std::vector<std::string>()),
                          one.value("ends", false)});
  }
  return tool;
}

std::vector<ToolDialect> read_dialects() {
  std::vector<ToolDialect> result;
  for (const EmbeddedText& file : embedded_texts()) {
    if (!file.name.starts_with(kFolder) || !file.name.ends_with(".json")) continue;
    const json from = json::parse(file.text);
    ToolDialect& dialect = result.emplace_back();
    dialect.name = file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - 5);
    dialect.guide = embedded_text(std::string(kFolder) + dialect.name + ".md").value();
    dialect.reads_first = from.value("reads_first", true);
    dialect.replaces = from.value("replaces", std::vector<std::string>());
    dialect.tags = from.value("tags", std::vector<std::string>());
    std::map<std::string, json> read;
    for (json tool : from.at("tools")) {
      if (tool.contains("like")) {
        json like = read.at(tool["like"].get<std::string>());
        like.update(tool);
        tool = std::move(like);
      }
      const ForeignTool& made = dialect.tools.emplace_back(read_tool(tool));
      read[made.spec.name] = std::move(tool);
    }
  }
  return result;
}

// One case on one call's arguments.
class Reader {
 public:
  explicit Reader(const json& given) : given_(given) {}

  // Missing: a null.
  json value(const json& expression) {
    if (const auto* text = expression.get_ptr<const json::string_t*>())
      return text->starts_with('$') ? argument(*text) : expression;
    if (!expression.is_object() || !expression.contains("of")) return expression;
    json found = argument(expression["of"].get<std::string>());
    if (expression.contains("or")) {
      json other = argument(expression["or"].get<std::string>());
      if (found.is_null()) found = std::move(other);
    }
    if (expression.contains("map") && found.is_string())
      found = expression["map"].value(found.get<std::string>(), found);
    if (expression.contains("item") && found.is_array()) {
      const size_t at = expression["item"].get<size_t>();
      found = at < found.size() ? found[at] : json();
    }
    if (expression.contains("not_given") && found == expression["not_given"]) found = nullptr;
    if (expression.contains("plus") && found.is_number_integer())
      found = found.get<int64_t>() + expression["plus"].get<int64_t>();
    if (expression.contains("times") && found.is_number_integer())
      found = found.get<int64_t>() * expression["times"].get<int64_t>();
    if (expression.contains("not") && found.is_boolean()) found = !found.get<bool>();
    if (expression.contains("each") && found.is_array()) {
      for (json& item : found) item = Reader(item).object(expression["each"]);
    }
    if (expression.contains("as") && !found.is_null()) found = command(expression, found);
    if (found.is_null() && expression.contains("default")) found = expression["default"];
    return found;
  }

  json object(const json& from) {
    json result = json::object();
    for (const auto& [name, expression] : from.items()) {
      if (json one = value(expression); !one.is_null()) result[name] = std::move(one);
    }
    return result;
  }

  bool use(const std::string& name) {
    used_.insert(name);
    return given_.contains(name);
  }

  std::optional<Error> refusal;  // why the call has no meaning although nothing is missing
  std::string missing;           // the first argument that is needed and not given
  // The first argument that has no use here.
  std::string unused() const {
    for (const auto& [name, value] : given_.items()) {
      if (!used_.contains(name)) return name;
    }
    return "";
  }
  std::string known() const {
    std::string names;
    for (const std::string& name : used_)
      if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "There are no arguments." : "The arguments are " + names + ".";
  }

 private:
  json argument(const std::string& reference) {
    const bool optional = reference.ends_with('?');
    const std::string name = reference.substr(1, reference.size() - 1 - (optional ? 1 : 0));
    if (use(name)) return given_[name];
    if (!optional && missing.empty()) missing = name;
    return nullptr;
  }

  json command(const json& expression, const json& words) {
    const std::string form = expression["as"];
    if (form == "line") {
      refusal = patch_beside_others(words);
      return shell_line(words);
    }
    const auto patch = patch_in(words);
    if (form == "folder") {
      const json around = expression.contains("in") ? argument(expression["in"]) : json();
      if (!patch || patch->folder.empty()) return around;
      if (!around.is_string() || os::is_absolute(patch->folder)) return patch->folder;
      return join_path(around.get<std::string>(), patch->folder);
    }
    if (!patch && missing.empty()) missing = "a patch";
    return patch ? json(patch->patch) : json();
  }

  const json& given_;
  std::set<std::string> used_;
};

bool holds(const json& when, const json& given) {
  return std::ranges::all_of(when.items(), [&](const auto& one) {
    return given.contains(one.key()) && given[one.key()] == one.value();
  });
}

// Renames arguments to the names that the schema has, also in the items of lists.
void rename_arguments(const std::map<std::string, std::string>& names, json& value) {
  if (names.empty()) return;
  if (value.is_object()) {
    for (const auto& [from, to] : names) {
      if (!value.contains(from) || value.contains(to)) continue;
      value[to] = std::move(value[from]);
      value.erase(from);
    }
  }
  if (!value.is_structured()) return;
  for (json& each : value) rename_arguments(names, each);
}

bool is_in_schema(const ForeignTool& tool, const std::string& name) {
  return tool.spec.parameters.value("properties", json::object()).contains(name);
}

// Removes the arguments that have no place in a call of ours.
void take_what_is_told(const ForeignTool& tool, json& arguments, OwnCall& call) {
  if (!arguments.is_object()) return;
  rename_arguments(tool.renamed, arguments);
  for (const auto& [name, told] :
       {std::pair(&tool.reason, &call.reason), {&tool.says, &call.says}}) {
    if (name->empty() || !arguments.contains(*name)) continue;
    const json& value = arguments[*name];
    if (value.is_string()) *told = value.get<std::string>();
    if (!is_in_schema(tool, *name) && (value.is_string() || value.is_null()))
      arguments.erase(*name);
  }
  for (const auto& [name, note] : tool.notes) {
    if (!arguments.contains(name)) continue;
    const json& value = arguments[name];
    if (value == json(true) || value == "true") call.notes += note + "\n";
    arguments.erase(name);
  }
  for (const std::string& name : tool.ignored) arguments.erase(name);
}

// Whether a value of the case is a patch that a shell command passes on.
bool takes_patch_of_shell(const ForeignCase& one) {
  return std::ranges::any_of(one.arguments, [](const json& expression) {
    return expression.is_object() && expression.value("as", "") == "patch";
  });
}

}  // namespace

ToolSpec offered_spec(const ForeignTool& tool) {
  ToolSpec spec = tool.spec;
  for (const std::string& name : tool.hidden) spec.parameters["properties"].erase(name);
  return spec;
}

bool may_mean(const ForeignCase& one, std::string_view arguments) {
  if (takes_patch_of_shell(one) && arguments.find("patch") == arguments.npos) return false;
  return std::ranges::all_of(
      one.when, [&](const json& value) { return arguments.find(value.dump()) != arguments.npos; });
}

const ForeignTool* ToolDialect::find(std::string_view tool) const {
  const auto found =
      std::ranges::find_if(tools, [&](const ForeignTool& one) { return one.spec.name == tool; });
  return found == tools.end() ? nullptr : &*found;
}

bool ToolDialect::uses(std::string_view own) const {
  return std::ranges::any_of(tools, [&](const ForeignTool& tool) {
    return std::ranges::find(tool.cases, own, &ForeignCase::tool) != tool.cases.end();
  });
}

const std::vector<ToolDialect>& dialects() {
  static const std::vector<ToolDialect> kDialects = read_dialects();
  return kDialects;
}

const ToolDialect* find_dialect(std::string_view name) {
  const auto found = std::ranges::find(dialects(), name, &ToolDialect::name);
  return found == dialects().end() ? nullptr : &*found;
}

Result<OwnCall> translate(const ForeignTool& tool, json arguments) {
  OwnCall call;
  take_what_is_told(tool, arguments, call);
  if (auto wrong = coerce_arguments(tool.spec, arguments))
    return std::unexpected(*std::move(wrong));
  std::string why, advice;
  for (const ForeignCase& one : tool.cases) {
    if (!holds(one.when, arguments)) continue;
    Reader reader(arguments);
    call.meaning = &one;
    call.arguments = reader.object(one.arguments);
    for (const auto& [name, value] : one.when.items()) reader.use(name);
    for (const std::string& name : one.unneeded) reader.use(name);
    reader.use(tool.reason), reader.use(tool.says);
    if (reader.refusal) return std::unexpected(*reader.refusal);
    // A tool that is only answered takes all that its schema does.
    const bool takes_all = one.tool.empty();
    const std::string unused = takes_all ? "" : reader.unused();
    if (unused.empty() && reader.missing.empty()) return call;
    std::string with;
    for (const auto& [name, value] : one.when.items())
      with += fmt::format(" with \"{}\" {}", name, value.dump());
    // The last case is the plainest one: for a shell, the one that takes any command.
    if (unused.empty()) {
      why = fmt::format("\"{}\" is missing{}.", reader.missing, with);
      advice = reader.known();
    } else if (with.empty()) {
      why = fmt::format("\"{}\" has no meaning with these arguments.", unused);
      advice = known_arguments(tool.spec.parameters);
    } else {
      why = fmt::format("\"{}\" is not an argument{}.", unused, with);
      advice = reader.known();
    }
  }
  if (why.empty()) {
    why = "These arguments do not fit together.";
    advice = known_arguments(tool.spec.parameters);
  }
  return fail_with_advice(Error::Code::invalid_input, std::move(why), std::move(advice));
}

}  // namespace bodkin
