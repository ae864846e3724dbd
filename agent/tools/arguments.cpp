// The arguments of a call against its JSON Schema: type, properties, required, items, minItems,
// maxItems, enum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agent/support/json.h"
#include "agent/tools/tools.h"

namespace bodkin {

namespace {

using nlohmann::json;

// Models write numbers and booleans as strings, and lists as the JSON of a list.
void coerce_value(const std::string& type, json& value) {
  if (type == "integer" && value.is_number_float()) {
    const double number = value.get<double>();
    if (number > -1e15 && number < 1e15 && number == std::trunc(number))
      value = static_cast<int64_t>(number);
  }
  const auto* text = value.get_ptr<const json::string_t*>();
  if (!text) return;
  if (type == "boolean" && (*text == "true" || *text == "false")) value = *text == "true";
  if (type == "integer") {
    const size_t digits = text->starts_with('-') ? 1 : 0;
    if (text->size() > digits && text->size() < 16 &&
        text->find_first_not_of("0123456789", digits) == std::string::npos) {
      value = std::stoll(*text);
    }
  }
  if (type == "array") {
    auto list = parse_json(*text);
    if (list && list->is_array()) value = std::move(*list);
  }
}

bool is_of_type(const std::string& type, const json& value) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  // A number above 2^63 cannot be a line number.
  return value.is_number_integer() &&
         (!value.is_number_unsigned() || value.get<uint64_t>() < (uint64_t{1} << 53));
}

std::optional<Error> wrong_object(const std::string& at, const json& schema, json& object);

std::optional<Error> wrong_argument(std::string message, std::string advice = {}) {
  return Error{Error::Code::invalid_input, std::move(message), {}, std::move(advice)};
}

// `at`: what to call the value, such as `"path"`.
std::optional<Error> wrong_value(const std::string& at, const json& schema, json& value) {
  const json types =
      schema.at("type").is_array() ? schema.at("type") : json::array({schema.at("type")});
  const auto fits = [&](const json& type) { return is_of_type(type, value); };
  if (std::ranges::none_of(types, fits)) {
    for (const std::string type : types) coerce_value(type, value);
  }
  if (std::ranges::none_of(types, fits)) {
    std::string names;
    for (const std::string type : types) names += (names.empty() ? "" : " or ") + type;
    return wrong_argument(at + " must be of type " + names + ".");
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return wrong_argument(at + " must be one of " + schema["enum"].dump() + ".");
  if (value.is_array() && (value.size() < schema.value("minItems", size_t{0}) ||
                           value.size() > schema.value("maxItems", value.size())))
    return wrong_argument(
        fmt::format("{} has {} items, which is too {}.", at, value.size(),
                    value.size() < schema.value("minItems", size_t{0}) ? "few" : "many"));
  if (value.is_array() && schema.contains("items")) {
    for (size_t i = 0; i < value.size(); ++i) {
      if (auto error = wrong_value(fmt::format("{}[{}]", at, i), schema["items"], value[i]))
        return error;
    }
  }
  if (value.is_object() && schema.contains("properties")) return wrong_object(at, schema, value);
  return std::nullopt;
}

std::optional<Error> wrong_object(const std::string& at, const json& schema, json& object) {
  const std::string prefix = at.empty() ? "" : at + ": ";
  const json properties = schema.value("properties", json::object());
  for (auto argument = object.begin(); argument != object.end();) {  // null: not given
    argument = argument->is_null() ? object.erase(argument) : std::next(argument);
  }
  std::string unknown;
  size_t count = 0;
  for (const auto& [name, value] : object.items())
    if (!properties.contains(name))
      unknown += fmt::format("{}\"{}\"", count++ == 0 ? "" : ", ", name);
  if (count > 0)
    return wrong_argument(fmt::format("{}{} {}", prefix, unknown,
                                      count == 1 ? "is not an argument." : "are not arguments."),
                          known_arguments(schema));
  for (const std::string name : schema.value("required", json::array())) {
    if (!object.contains(name))
      return wrong_argument(fmt::format("{}\"{}\" is missing.", prefix, name),
                            known_arguments(schema));
  }
  for (auto& [name, value] : object.items()) {
    if (auto error = wrong_value(fmt::format("{}\"{}\"", prefix, name), properties[name], value))
      return error;
  }
  return std::nullopt;
}

}  // namespace

std::string known_arguments(const json& schema) {
  std::string names;
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, property] : properties.items()) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return names.empty() ? "There are no arguments." : "The arguments are " + names + ".";
}

std::optional<Error> coerce_arguments(const ToolSpec& spec, json& arguments) {
  if (!arguments.is_object()) return wrong_argument("The arguments must be an object.");
  return wrong_object("", spec.parameters, arguments);
}

}  // namespace bodkin
