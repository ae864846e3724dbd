// Rewrites schemas that APIs refuse or lose: Anthropic and OpenAI a combinator at the top, OpenAI
// an array without items and a property that is not an object, Gemini a required argument that is
// not described, Ollama references. (JSON Schema 2020-12, and draft 7's "definitions" and lists of
// "items".)
#include "agent/tools/tool_schema.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <vector>

#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxSchema = 30'000;  // bytes
constexpr size_t kMaxSchemaDepth = 30;
constexpr size_t kMaxRule = 6'000;  // bytes
constexpr size_t kMaxArgumentName = 64;

// Keywords whose value is a schema, a list of schemas, or schemas by name.
constexpr std::string_view kOfSchema[] = {
    "items",         "additionalProperties", "additionalItems",       "contains", "not",
    "propertyNames", "unevaluatedItems",     "unevaluatedProperties", "if",       "then",
    "else"};
constexpr std::string_view kOfList[] = {"allOf", "anyOf", "oneOf", "prefixItems", "items"};
constexpr std::string_view kOfNames[] = {"properties", "patternProperties", "dependentSchemas"};

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

// A schema whose references are replaced by their targets, and that has everything that APIs want.
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
      if (is_too_long() || is_one_of(key, kLeftOut)) continue;
      if (is_one_of(key, kOfList) && value.is_array()) {
        json& list = made[key] = json::array();
        for (const json& each : value) list.push_back(resolve(each));
      } else if (is_one_of(key, kOfSchema) && value.is_object()) {
        made[key] = resolve(value);
      } else if (is_one_of(key, kOfNames)) {
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

  // The properties of a reference's target are added to those next to the reference. Some programs
  // write an empty list for no properties.
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

bool takes_object(const json& branch) {
  return branch.is_object() && (!branch.contains("type") || is_of_type(branch, "object"));
}

const json& list_at(const json& schema, std::string_view key) {
  static const json kNone = json::array();
  const json& list = at(schema, key);
  return list.is_array() ? list : kNone;
}

// Adds what the branches of a schema say of its properties: each may be as any of them has it.
void add_branches(const json& schema, json& properties) {
  const auto take = [&](const json& branch) {
    if (!takes_object(branch)) return;
    if (const json& own = at(branch, "properties"); own.is_object()) {
      for (const auto& [name, one] : own.items()) {
        json& known = properties[name];
        if (known.is_null()) known = one;
        if (known == one) continue;
        if (known.size() != 1 || !at(known, "anyOf").is_array())
          known = {{"anyOf", json::array({known})}};
        if (std::ranges::find(known["anyOf"], one) == known["anyOf"].end())
          known["anyOf"].push_back(one);
      }
    }
    add_branches(branch, properties);
  };
  for (const char* key : {"allOf", "anyOf", "oneOf"})
    for (const json& branch : list_at(schema, key)) take(branch);
  take(at(schema, "then"));
  take(at(schema, "else"));
  if (const json& schemas = at(schema, "dependentSchemas"); schemas.is_object())
    for (const json& each : schemas) take(each);
}

// Takes from a schema what no API accepts at its top: which arguments go together, and with which
// values.
json take_rule(json& schema) {
  json rule = json::object();
  for (const char* key : {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "enum", "const",
                          "dependentRequired", "dependentSchemas"}) {
    if (!schema.contains(key)) continue;
    const bool is_list = std::string_view(key).ends_with("Of");
    if (!is_list || std::ranges::any_of(list_at(schema, key), takes_object))
      rule[key] = schema[key];
    schema.erase(key);
  }
  return rule;
}

bool is_argument_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxArgumentName &&
         std::ranges::all_of(name, [](char c) { return is_name_char(c) || c == '.'; });
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
  json properties = whole.value("properties", json::object());
  add_branches(whole, properties);
  const json rule = take_rule(whole);
  json required = json::array();
  for (const json& name : list_at(whole, "required"))
    if (properties.contains(name.get<std::string>())) required.push_back(name);
  whole.erase("required");
  if (!required.empty()) whole["required"] = std::move(required);
  whole["type"] = "object";
  whole["properties"] = std::move(properties);
  if (std::string why = problem_of(whole); !why.empty()) return refused(std::move(why));
  std::string words = rule.empty() ? "" : rule.dump();
  if (words.size() > kMaxRule) words.clear();
  return {std::move(whole), std::move(words), ""};
}

}  // namespace bodkin
