#include "lsp/protocol/protocol.h"

#include <algorithm>

#include "agent/rpc/uri.h"

namespace bodkin::lsp {

namespace {

// Clients send huge numbers for "the end of the line", and some send floats that are whole.
size_t count_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  constexpr size_t kMost = 4'000'000'000;
  if (value.is_number_unsigned()) return std::min(value.get<size_t>(), kMost);
  const double number = value.get<double>();  // throws if it is no number
  return number < 0 ? 0 : number > 4e9 ? kMost : static_cast<size_t>(number);
}

std::optional<int64_t> version_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<int64_t>();
}

using Folders = std::vector<WorkspaceFolder>;

// Nothing: they are missing, or one of them is wrong.
std::optional<Folders> folders_at(const Json& json, std::string_view path) {
  auto folders = decode<Folders>(member(json, path));
  return folders ? std::optional(*std::move(folders)) : std::nullopt;
}

}  // namespace

void from_json(const Json& json, Position& value) {
  value = {count_at(json, "line"), count_at(json, "character")};
}

void from_json(const Json& json, Range& value) {
  value = {json.at("start").get<Position>(), json.at("end").get<Position>()};
}

void from_json(const Json& json, WorkspaceFolder& value) {
  json.at("uri").get_to(value.uri);
  value.name = text_member(json, "name");
}

void from_json(const Json& json, InitializeParams& value) {
  if (auto folders = folders_at(json, "workspaceFolders")) {
    value.folders = *std::move(folders);
  } else if (const std::string root = text_member(json, "rootUri"); !root.empty()) {
    value.folders = {{root, ""}};
  } else if (const std::string path = text_member(json, "rootPath"); !path.empty()) {
    value.folders = {{uri_of_path(path), ""}};
  }
  value.options = member(json, "initializationOptions");
}

void from_json(const Json& json, DidChangeConfigurationParams& value) {
  value.settings = member(json, "settings");
}

void from_json(const Json& json, TextDocumentItem& value) {
  json.at("uri").get_to(value.uri);
  json.at("text").get_to(value.text);
  value.language_id = text_member(json, "languageId");
  value.version = version_at(json, "version").value_or(0);
}

void from_json(const Json& json, DidOpenParams& value) {
  member(json, "textDocument").get_to(value.document);
}

void from_json(const Json& json, TextDocumentParams& value) {
  value.uri = text_member(json, "textDocument.uri");
}

void from_json(const Json& json, ContentChange& value) {
  json.at("text").get_to(value.text);
  if (const Json& range = member(json, "range"); !range.is_null()) value.range = range.get<Range>();
}

void from_json(const Json& json, DidChangeParams& value) {
  json.at("textDocument").at("uri").get_to(value.uri);
  value.version = version_at(json.at("textDocument"), "version");
  json.at("contentChanges").get_to(value.changes);
}

void from_json(const Json& json, DidChangeFoldersParams& value) {
  value.added = folders_at(json, "event.added").value_or(Folders());
  value.removed = folders_at(json, "event.removed").value_or(Folders());
}

void from_json(const Json& json, DidChangeFilesParams& value) {
  const Json& changes = member(json, "changes");
  if (!changes.is_array()) return;
  for (const Json& change : changes) {
    if (std::string uri = text_member(change, "uri"); !uri.empty()) {
      value.uris.push_back(std::move(uri));
    }
  }
}

void from_json(const Json& json, ProgressCancelParams& value) {
  value.token = text_member(json, "token");
}

void from_json(const Json& json, TextContentParams& value) { value.uri = text_member(json, "uri"); }

void from_json(const Json& json, DidChangeTrustParams& value) {
  if (const Json& trusted = member(json, "trusted"); trusted.is_boolean()) {
    value.trusted = trusted.get<bool>();
  }
}

void from_json(const Json& json, CodeActionParams& value) {
  json.at("textDocument").at("uri").get_to(value.uri);
  json.at("range").get_to(value.range);
  const Json& context = member(json, "context");
  if (const Json& list = member(context, "diagnostics"); list.is_array()) value.diagnostics = list;
  if (const Json& only = member(context, "only"); only.is_array()) only.get_to(value.only);
  value.automatic = member(context, "triggerKind") == 2;
}

void from_json(const Json& json, DiagnosticsParams& value) {
  json.at("uri").get_to(value.uri);
  value.document_version = version_at(json, "documentVersion");
  value.sequence = version_at(json, "sequence").value_or(0);
  value.diagnostics = json.at("diagnostics");
  if (const Json& complete = member(json, "complete"); !complete.is_null()) {
    value.complete = complete.get<bool>();
  }
  if (const Json& servers = member(json, "servers"); !servers.is_null()) {
    value.servers = servers.get<std::vector<std::string>>();
  }
  if (const Json& reported = member(json, "reported"); !reported.is_null()) {
    value.reported = reported.get<std::vector<std::string>>();
  }
}

void to_json(Json& json, const Position& value) {
  json = Json{{"line", value.line}, {"character", value.character}};
}

void to_json(Json& json, const Range& value) {
  json = Json{{"start", value.start}, {"end", value.end}};
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

}  // namespace bodkin::lsp
