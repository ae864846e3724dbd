// Rewrites schemas that APIs refuse or lose: Anthropic and OpenAI a combinator at the top, OpenAI
// an array without items and a property that is no object, Gemini a required argument that is not
// described, Ollama references. (JSON Schema 2020-12, and draft 7's "definitions" and lists of
// "items".)
#include "agent/tools/tool_schema.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <vector>

#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxSchema = 30'000;  // bytes
constexpr size_t kMaxSchemaDepth = 30;
constexpr size_t kMaxRule = 3'000;  // bytes
constexpr size_t kMaxArgumentName = 64;

// Keywords whose value is a schema, a list of schemas, or schemas by name.
constexpr std::string_view kOfSchema[] = {
    "items",         "additionalProperties", "additionalItems",       "contains", "not",
    "propertyNames", "unevaluatedItems",     "unevaluatedProperties", "if",       "then",
    "else"};
constexpr std::string_view kOfList[] = {"allOf", "anyOf", "oneOf", "prefixItems", "items"};
constexpr std::string_view kOfNames[] = {"properties", "patternProperties", "dependentSchemas"};

bool is_one_of(const auto& keys, std::string_view key) {
  return std::ranges::find(keys, key) != std::end(keys);
}

// Makes all strings of a schema visible. False: it is too deep, or has a name that would act.
bool make_visible(json& value, size_t depth) {
  if (depth > kMaxSchemaDepth) return false;
  if (value.is_string()) value = visible(value.get_ref<const std::string&>());
  if (value.is_object()) {
    for (auto& [key, inside] : value.items()) {
      if (visible(key) != key || !make_visible(inside, depth + 1)) return false;
    }
  } else if (value.is_array()) {
    for (json& each : value)
      if (!make_visible(each, depth + 1)) return false;
  }
  return true;
}

bool is_of_type(const json& schema, std::string_view type) {
  const json& types = at(schema, "type");
  return types == type || (types.is_array() && std::ranges::any_of(types, [&](const json& each) {
                             return each == type;
                           }));
}

// A schema whose references are replaced by what they name, and that misses nothing that APIs want.
class Resolver {
 public:
  explicit Resolver(const json& root) : root_(root) {}

  json resolve(const json& schema) {
    if (schema.is_boolean()) return json::object();
    if (!schema.is_object()) return schema;
    size_ += schema.size() + 1;
    json made = json::object();
    if (const json& reference = at(schema, "$ref"); reference.is_string())
      made = referred(reference.get_ref<const std::string&>());
    for (const auto& [key, value] : schema.items()) {
      if (is_too_long() || is_one_of(kLeftOut, key)) continue;
      if (is_one_of(kOfList, key) && value.is_array()) {
        json& list = made[key] = json::array();
        for (const json& each : value) list.push_back(resolve(each));
      } else if (is_one_of(kOfSchema, key) && value.is_object()) {
        made[key] = resolve(value);
      } else if (is_one_of(kOfNames, key)) {
        add_named(made[key], value);
      } else if (!value.is_null() || key == "const" || key == "default") {
        size_ += value.is_structured() ? value.size() : 1;
        made[key] = value;
      }
    }
    if (is_of_type(made, "array") && !made.contains("items") && !made.contains("prefixItems"))
      made["items"] = json::object();
    return made;
  }
  // Counts properties and bytes, roughly: references may multiply.
  bool is_too_long() const { return size_ > kMaxSchema / 4; }

 private:
  static constexpr std::string_view kLeftOut[] = {"$ref",  "$schema",     "$id",     "$anchor",
                                                  "$defs", "definitions", "$comment"};

  // The properties of a reference's target stay beside those that stand with the reference. Some
  // programs write an empty list for no properties.
  void add_named(json& to, const json& named) {
    if (!to.is_object()) to = json::object();
    if (named.is_array() ? !named.empty() : !named.is_object() && !named.is_null()) to = named;
    if (!named.is_object()) return;
    for (const auto& [name, schema] : named.items())
      if (schema != json(false)) to[name] = resolve(schema);
  }

  // A reference to itself, or to nothing in this schema, may be anything.
  json referred(const std::string& reference) {
    if (!reference.starts_with('#') || open_.contains(reference)) return json::object();
    const json* target = nullptr;
    try {
      const json::json_pointer pointer(decoded(std::string_view(reference).substr(1)));
      if (root_.contains(pointer)) target = &root_.at(pointer);
    } catch (const json::exception&) {
      return json::object();  // no pointer: an anchor
    }
    if (!target) return json::object();
    open_.insert(reference);
    json made = resolve(*target);
    open_.erase(reference);
    return made.is_object() ? made : json::object();
  }

  static std::string decoded(std::string_view fragment) {
    std::string text;
    for (size_t i = 0; i < fragment.size(); ++i) {
      unsigned value = 0;
      if (fragment[i] == '%' && i + 2 < fragment.size() &&
          std::from_chars(&fragment[i + 1], &fragment[i + 3], value, 16).ptr == &fragment[i + 3]) {
        text += static_cast<char>(value);
        i += 2;
      } else {
        text += fragment[i];
      }
    }
    return text;
  }

  const json& root_;
  std::set<std::string> open_;
  size_t size_ = 0;
};

// The values that a property may have, if it names them.
std::vector<json> values_of(const json& schema) {
  if (schema.contains("const")) return {schema["const"]};
  const json& named = at(schema, "enum");
  return named.is_array() ? std::vector<json>(named.begin(), named.end()) : std::vector<json>();
}

using Join = json (*)(const json&, const json&);

// A property that two branches describe.
json either(const json& one, const json& other) {
  if (one == other) return one;
  std::vector<json> values = values_of(one);
  const std::vector<json> others = values_of(other);
  json made = one;
  if (!values.empty() && !others.empty()) {
    for (const json& value : others)
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    made.erase("const");
    made["enum"] = values;
    for (const char* key : {"type", "description"})
      if (at(one, key) != at(other, key)) made.erase(key);
    return made;
  }
  if (one.size() != 1 || !at(one, "anyOf").is_array()) made = {{"anyOf", json::array({one})}};
  json& branches = made["anyOf"];
  if (std::ranges::find(branches, other) == branches.end()) branches.push_back(other);
  return made;
}

// A property that two schemas describe which both hold: the second one says more of it.
json both(const json& one, const json& other) {
  json made = one;
  made.update(other, true);
  return made;
}

struct Arguments {
  json properties = json::object();
  std::set<std::string> required;
};

void add(Arguments& to, const json& properties, Join join) {
  for (const auto& [name, schema] : properties.items()) {
    json& known = to.properties[name];
    known = known.is_null() ? schema : join(known, schema);
  }
}

bool takes_object(const json& branch) {
  return branch.is_object() && (!branch.contains("type") || is_of_type(branch, "object"));
}

const json& list_at(const json& schema, std::string_view key) {
  static const json kNone = json::array();
  const json& list = at(schema, key);
  return list.is_array() ? list : kNone;
}

Arguments arguments_of(const json& schema);

// The arguments that one of several schemas describes; those that all of them require are required.
Arguments arguments_of_one(const std::vector<const json*>& branches) {
  Arguments made;
  bool is_first = true;
  for (const json* branch : branches) {
    if (!takes_object(*branch)) continue;
    Arguments of_branch = arguments_of(*branch);
    add(made, of_branch.properties, either);
    if (is_first) made.required = of_branch.required;
    std::erase_if(made.required,
                  [&](const auto& name) { return !of_branch.required.contains(name); });
    is_first = false;
  }
  return made;
}

Arguments arguments_of(const json& schema) {
  Arguments made;
  if (const json& own = at(schema, "properties"); own.is_object()) made.properties = own;
  for (const json& name : list_at(schema, "required"))
    if (name.is_string()) made.required.insert(name.get<std::string>());
  const auto take = [&made](const Arguments& others) {
    add(made, others.properties, both);
    made.required.insert(others.required.begin(), others.required.end());
  };
  for (const json& part : list_at(schema, "allOf")) take(arguments_of(part));
  for (const char* key : {"anyOf", "oneOf"}) {
    std::vector<const json*> branches;
    for (const json& branch : list_at(schema, key)) branches.push_back(&branch);
    take(arguments_of_one(branches));
  }
  std::vector<const json*> conditional = {&at(schema, "then"), &at(schema, "else")};
  if (const json& schemas = at(schema, "dependentSchemas"); schemas.is_object())
    for (const json& each : schemas) conditional.push_back(&each);
  add(made, arguments_of_one(conditional).properties, both);
  return made;
}

// The rules of a schema that its arguments do not show: which go together, and with which values.
// Empty: none. `is_known`: what it requires holds in any case.
json rule_of(const json& schema, bool is_known) {
  json made = json::object();
  if (!is_known) {
    if (const json& names = list_at(schema, "required"); !names.empty()) made["required"] = names;
    if (const json& properties = at(schema, "properties"); properties.is_object())
      for (const auto& [name, property] : properties.items())
        if (const auto values = values_of(property); !values.empty())
          made["properties"][name]["enum"] = values;
  }
  json parts = json::array();
  for (const json& part : list_at(schema, "allOf"))
    if (json rule = rule_of(part, is_known); !rule.empty()) parts.push_back(std::move(rule));
  if (!parts.empty()) made["allOf"] = std::move(parts);
  for (const char* key : {"anyOf", "oneOf"}) {
    json branches = json::array();
    for (const json& branch : list_at(schema, key))
      if (takes_object(branch)) branches.push_back(rule_of(branch, false));
    const bool differ =
        std::ranges::any_of(branches, [&](const json& each) { return each != branches[0]; });
    if (differ) made[key] = std::move(branches);
  }
  for (const char* key :
       {"not", "if", "then", "else", "dependentRequired", "dependentSchemas", "enum", "const"})
    if (schema.contains(key)) made[key] = schema[key];
  return made;
}

bool is_argument_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxArgumentName && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

// Empty: the arguments are described as JSON Schema wants it.
std::string problem_of(const json& schema) {
  if (const json& properties = at(schema, "properties"); !properties.is_null()) {
    if (!properties.is_object()) return "its properties are not an object";
    for (const auto& [name, property] : properties.items()) {
      if (!is_argument_name(name)) return "an argument's name is not accepted by models";
      if (!property.is_object()) return "its schema is not valid";
    }
  }
  const json& required = at(schema, "required");
  const bool is_valid = required.is_null() ||
                        (required.is_array() && std::ranges::all_of(required, [](const json& each) {
                           return each.is_string();
                         }));
  return is_valid ? "" : "its schema is not valid";
}

}  // namespace

ToolSchema tool_schema(const json& schema) {
  const auto refused = [](std::string why) { return ToolSchema{{}, "", std::move(why)}; };
  if (!schema.is_object()) return refused("it has no schema");
  json shown = schema;
  if (!make_visible(shown, 0))
    return refused("its schema is nested too deeply or contains invisible characters");
  Resolver resolver(shown);
  json whole = resolver.resolve(shown);
  if (resolver.is_too_long() || whole.dump().size() > kMaxSchema)
    return refused("its schema is too long");
  if (!takes_object(whole)) return refused("its arguments are not an object");
  if (std::string why = problem_of(whole); !why.empty()) return refused(std::move(why));
  Arguments arguments = arguments_of(whole);
  std::erase_if(arguments.required,
                [&](const auto& name) { return !arguments.properties.contains(name); });
  const json rule = rule_of(whole, true);
  for (const char* key : {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "enum", "const",
                          "dependentRequired", "dependentSchemas", "required"})
    whole.erase(key);
  whole["type"] = "object";
  whole["properties"] = std::move(arguments.properties);
  if (!arguments.required.empty()) whole["required"] = arguments.required;
  if (std::string why = problem_of(whole); !why.empty()) return refused(std::move(why));
  std::string words = rule.empty() ? "" : rule.dump();
  if (words.size() > kMaxRule) words.clear();
  return {std::move(whole), std::move(words), ""};
}

}  // namespace bodkin
