#include "agent/rpc/lsp_structs.h"

#include <algorithm>
#include <cmath>

namespace bodkin::rpc {

namespace {

// Clients send huge numbers for "the end of the line", and some send floats that are whole.
size_t count_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  constexpr size_t kMax = 4'000'000'000;
  if (value.is_number_unsigned()) return std::min(value.get<size_t>(), kMax);
  const double number = value.get<double>();  // throws if it is no number
  return number < 0 ? 0 : number > 4e9 ? kMax : static_cast<size_t>(number);
}

std::string code_text(const Json& code) {
  if (code.is_string()) return code.get<std::string>();
  return code.is_number() ? code.dump() : std::string();
}

}  // namespace

std::optional<int64_t> version_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  if (found->is_number_integer()) return found->get<int64_t>();
  const double number = found->get<double>();  // some clients write 3.0
  if (number != std::trunc(number)) return std::nullopt;
  return static_cast<int64_t>(std::clamp(number, -9e15, 9e15));
}

void from_json(const Json& json, Position& value) {
  value = {count_at(json, "line"), count_at(json, "character")};
}

void from_json(const Json& json, Range& value) {
  value = {json.at("start").get<Position>(), json.at("end").get<Position>()};
}

void from_json(const Json& json, TextDocumentItem& value) {
  json.at("uri").get_to(value.uri);
  json.at("text").get_to(value.text);
  value.language_id = text_member(json, "languageId");
  value.version = version_at(json, "version").value_or(0);
}

std::vector<PublishedDiagnostic> published_diagnostics(const Json& list) {
  std::vector<PublishedDiagnostic> result;
  if (!list.is_array()) return result;
  for (const Json& item : list) {
    const auto range = decode<Range>(member(item, "range"));
    if (!range) continue;
    const Json& severity = member(item, "severity");
    const int64_t given = severity.is_number_integer() ? severity.get<int64_t>() : 1;
    result.push_back({*range, static_cast<int>(std::clamp<int64_t>(given, 1, 4)),
                      text_member(item, "message"), text_member(item, "source"),
                      code_text(member(item, "code"))});
  }
  return result;
}

void from_json(const Json& json, PublishDiagnosticsParams& value) {
  json.at("uri").get_to(value.uri);
  value.version = version_at(json, "version");
  value.diagnostics = published_diagnostics(json.at("diagnostics"));
}

void to_json(Json& json, const Position& value) {
  json = Json{{"line", value.line}, {"character", value.character}};
}

void to_json(Json& json, const Range& value) {
  json = Json{{"start", value.start}, {"end", value.end}};
}

void to_json(Json& json, const TextDocumentItem& value) {
  json = Json{{"uri", value.uri},
              {"languageId", value.language_id},
              {"version", value.version},
              {"text", value.text}};
}

const Json& member(const Json& object, std::string_view path) {
  static const Json kNull;
  const Json* at = &object;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    if (!at->is_object()) return kNull;
    const auto found = at->find(std::string(path.substr(0, dot)));
    if (found == at->end()) return kNull;
    at = &*found;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *at;
}

std::string text_member(const Json& object, std::string_view path) {
  const Json& value = member(object, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag_member(const Json& object, std::string_view path) {
  const Json& value = member(object, path);
  return value.is_boolean() && value.get<bool>();
}

}  // namespace bodkin::rpc
