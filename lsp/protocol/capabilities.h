// The client's capabilities, resolved once at initialize; the rest of the server uses this struct.
#pragma once

#include "agent/rpc/position.h"
#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

struct Capabilities {
  std::string client;  // its name, for the log
  Encoding encoding = Encoding::utf16;
  bool document_changes = false;     // versioned edits; Neovim accepts them without announcing them
  bool resource_operations = false;  // create, delete, rename
  bool change_annotations = false;
  bool apply_edit = false;
  bool action_literals = false, action_resolve = false, action_tags = false;
  bool progress = false;  // window.workDoneProgress
  bool show_document = false, configuration = false;
  bool watched_files = false;      // workspace/didChangeWatchedFiles can be registered
  bool inline_completion = false;  // textDocument.inlineCompletion (LSP 3.18)
  bool text_content = false;       // workspace.textDocumentContent (LSP 3.18)
  // experimental.bodkin
  bool proposals = false, diagnostics = false, pull_diagnostics = false;
  bool input = false, permit = false, models = false, secrets = false, action_commands = false;
};

Capabilities capabilities_of(const Json& initialize_params);
// The result of `initialize`. `commands`: what workspace/executeCommand accepts.
Json server_capabilities(const Capabilities& client, const std::vector<std::string>& commands);

}  // namespace bodkin::lsp
