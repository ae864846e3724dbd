#include "lsp/protocol/protocol.h"

#include <cmath>

#include "agent/rpc/uri.h"
#include "edits/text/line_keys.h"

namespace bodkin::lsp {

namespace {

using Folders = std::vector<WorkspaceFolder>;

// Nullopt if they are missing, or one of them is wrong.
std::optional<Folders> folders_at(const Json& json, std::string_view path) {
  auto folders = decode<Folders>(member(json, path));
  return folders ? std::optional(*std::move(folders)) : std::nullopt;
}

// A range that is only shown may be approximate; one whose text is replaced must be exact.
Range exact_range(const Json& json) {
  for (const char* side : {"start", "end"}) {
    for (const char* unit : {"line", "character"}) {
      const double number = json.at(side).at(unit).get<double>();
      if (number < 0 || number != std::trunc(number))
        throw Json::other_error::create(501, "an invalid range", &json);
    }
  }
  return json.get<Range>();
}

}  // namespace

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

void from_json(const Json& json, DidOpenParams& value) {
  member(json, "textDocument").get_to(value.document);
}

void from_json(const Json& json, TextDocumentParams& value) {
  value.uri = text_member(json, "textDocument.uri");
}

void from_json(const Json& json, ContentChange& value) {
  json.at("text").get_to(value.text);
  if (const Json& range = member(json, "range"); !range.is_null()) value.range = exact_range(range);
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

void from_json(const Json& json, EncodingParams& value) {
  value.uri = text_member(json, "uri");
  json.at("encoding").get_to(value.encoding);
  value.encoding = lower_case(value.encoding);
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

}  // namespace bodkin::lsp
