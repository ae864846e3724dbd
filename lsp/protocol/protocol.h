// The LSP structures that only the server reads, typed; those that a client of a language server
// also uses are in agent/rpc/lsp_structs.h, with `decode`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/rpc/lsp_structs.h"
#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

using rpc::decode;  // beside that of arguments.h

struct WorkspaceFolder {
  std::string uri, name;
};
struct InitializeParams {  // what the client can do: capabilities_of
  std::vector<WorkspaceFolder> folders;
  Json options;  // initializationOptions
};
struct DidChangeConfigurationParams {
  Json settings;
};
struct DidOpenParams {
  TextDocumentItem document;
};
struct TextDocumentParams {  // didSave, didClose
  std::string uri;
};
struct ContentChange {
  std::optional<Range> range;  // nothing: `text` is the whole document
  std::string text;
};
struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
};
struct DidChangeFoldersParams {
  std::vector<WorkspaceFolder> added, removed;
};
struct DidChangeFilesParams {
  std::vector<std::string> uris;
};
struct ProgressCancelParams {
  std::string token;
};
struct TextContentParams {  // workspace/textDocumentContent
  std::string uri;
};
struct DidChangeTrustParams {  // bodkin/didChangeTrust
  std::optional<bool> trusted;
};
struct CodeActionParams {
  std::string uri;
  Range range;
  Json diagnostics = Json::array();  // as the client sent them; they are returned unchanged
  std::vector<std::string> only;
  bool automatic = false;  // triggerKind 2
};
struct EncodingParams {  // bodkin/didChangeEncoding
  std::string uri;       // empty: of no document
  std::string encoding;  // in lower case
};
struct DiagnosticsParams {  // bodkin/didChangeDiagnostics
  std::string uri;
  std::optional<int64_t> document_version;
  int64_t sequence = 0;
  Json diagnostics = Json::array();
  bool complete = true;
  std::optional<std::vector<std::string>> servers;  // the document's language servers
  // The servers among them that have published for this version.
  std::optional<std::vector<std::string>> reported;
};

void from_json(const Json& json, WorkspaceFolder& value);
void from_json(const Json& json, InitializeParams& value);
void from_json(const Json& json, DidChangeConfigurationParams& value);
void from_json(const Json& json, DidOpenParams& value);
void from_json(const Json& json, TextDocumentParams& value);
void from_json(const Json& json, ContentChange& value);
void from_json(const Json& json, DidChangeParams& value);
void from_json(const Json& json, DidChangeFoldersParams& value);
void from_json(const Json& json, DidChangeFilesParams& value);
void from_json(const Json& json, ProgressCancelParams& value);
void from_json(const Json& json, TextContentParams& value);
void from_json(const Json& json, DidChangeTrustParams& value);
void from_json(const Json& json, CodeActionParams& value);
void from_json(const Json& json, EncodingParams& value);
void from_json(const Json& json, DiagnosticsParams& value);

}  // namespace bodkin::lsp
