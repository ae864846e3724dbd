#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

void from_json(const Json& json, ContentChange& value) {
  json.at("text").get_to(value.text);
  if (const Json& range = member(json, "range"); !range.is_null()) value.range = range.get<Range>();
}

void from_json(const Json& json, DidChangeParams& value) {
  json.at("textDocument").at("uri").get_to(value.uri);
  value.version = version_at(json.at("textDocument"), "version");
  json.at("contentChanges").get_to(value.changes);
}

void from_json(const Json& json, WorkspaceFolder& value) {
  json.at("uri").get_to(value.uri);
  value.name = text_member(json, "name");
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

}  // namespace bodkin::lsp
