#include "lsp/server/document_sync.h"

#include "grammars/languages.h"
#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {

void DocumentSync::serve(Router& router) {
  router.on_notification<DidOpenParams>("textDocument/didOpen",
                                        std::bind_front(&DocumentSync::opened, this),
                                        std::bind_front(&DocumentSync::missed, this));
  router.on_notification<DidChangeParams>("textDocument/didChange",
                                          std::bind_front(&DocumentSync::changed, this),
                                          std::bind_front(&DocumentSync::missed, this));
  router.on_notification<TextDocumentParams>("textDocument/didClose",
                                             std::bind_front(&DocumentSync::closed, this));
  router.on_notification<TextDocumentParams>(
      "textDocument/didSave",
      [this](const TextDocumentParams& params) { document_saved(params.uri); });
  router.on_notification<DidChangeFoldersParams>(
      "workspace/didChangeWorkspaceFolders", std::bind_front(&DocumentSync::change_folders, this));
  router.on_notification<DidChangeFilesParams>("workspace/didChangeWatchedFiles",
                                               std::bind_front(&DocumentSync::files_changed, this));
  router.on_notification<EncodingParams>(kDidChangeEncoding, [this](const EncodingParams& params) {
    documents_.set_file_encoding(params.uri, params.encoding);
    if (params.uri.empty()) loading_encoding_changed();
  });
  router.on_notification<DiagnosticsParams>(
      kDidChangeDiagnostics, [this](const DiagnosticsParams& params) { bridge_.receive(params); });
}

void DocumentSync::opened(const DidOpenParams& params) {
  const std::string& uri = params.document.uri;
  documents_.open(params.document);
  bridge_.document_changed(uri);
  document_opened(uri);
  outlines_.parse_soon(uri);
}

Result<void> DocumentSync::changed(const DidChangeParams& params) {
  const Document* document = documents_.find(params.uri);
  const Text before = document ? document->text : Text();
  const auto changes = documents_.change(params);
  if (!changes) return std::unexpected(changes.error());
  if (document) recent_.changed(*document, before, *changes);
  bridge_.document_changed(params.uri);
  document_changed(params.uri, *changes);
  outlines_.parse_soon(params.uri);
  return {};
}

void DocumentSync::missed(const Json& params) {
  documents_.lose(text_member(params, "textDocument.uri"));
}

void DocumentSync::closed(const TextDocumentParams& params) {
  const Document* document = documents_.find(params.uri);
  const std::string opened = document ? document->uri : params.uri;  // as it was spelled then
  outlines_.close(params.uri);
  documents_.close(params.uri);
  recent_.closed(opened);
  bridge_.document_closed(opened);
  document_closed(opened);
}

void DocumentSync::change_folders(const DidChangeFoldersParams& params) {
  documents_.change_folders(params.removed, params.added);
  bridge_.folders_changed();
  folders_changed();
  for (const auto& [uri, document] : documents_.all()) outlines_.parse_soon(document.uri);
}

// Files that no editor has open.
void DocumentSync::files_changed(const DidChangeFilesParams& params) {
  std::vector<std::string> paths;
  for (const std::string& uri : params.uris) paths.push_back(documents_.path_of(uri));
  indexer_.changed(std::move(paths));
  disk_changed(params.uris);
}

void watch_files(Client& client) {
  std::string extensions;
  for (const Language& language : languages()) {
    for (const char c : language.extensions) extensions += c == ' ' ? ',' : c;
    if (!language.extensions.empty()) extensions += ',';
  }
  if (extensions.ends_with(',')) extensions.pop_back();
  client.watch_files({"**/*.{" + extensions + "}", "**/{.gitignore,.bodkinignore}"});
}

}  // namespace bodkin::lsp
