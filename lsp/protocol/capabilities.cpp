#include "lsp/protocol/capabilities.h"

#include <algorithm>

#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

namespace {

bool contains(const Json& list, std::string_view what) {
  return list.is_array() && std::ranges::any_of(list, [&](const Json& item) {
           return item.is_string() && item.get_ref<const std::string&>() == what;
         });
}

// utf-8 is ours; what every client must speak is utf-16; eglot and lsp-mode count in utf-32.
Encoding negotiate(const Json& offered) {
  if (contains(offered, "utf-8")) return Encoding::utf8;
  if (contains(offered, "utf-16") || !contains(offered, "utf-32")) return Encoding::utf16;
  return Encoding::utf32;
}

}  // namespace

Capabilities capabilities_of(const Json& params) {
  const Json& all = member(params, "capabilities");
  Capabilities client;
  client.client = text_member(params, "clientInfo.name");
  client.encoding = negotiate(member(all, "general.positionEncodings"));
  const Json& edit = member(all, "workspace.workspaceEdit");
  const Json& operations = member(edit, "resourceOperations");
  client.resource_operations = contains(operations, "create") && contains(operations, "rename") &&
                               contains(operations, "delete");
  // Neovim announces resource operations only, and applies versioned edits.
  client.document_changes =
      flag_member(edit, "documentChanges") || (operations.is_array() && !operations.empty());
  client.change_annotations = member(edit, "changeAnnotationSupport").is_object();
  client.apply_edit = flag_member(all, "workspace.applyEdit");
  const Json& action = member(all, "textDocument.codeAction");
  client.action_literals = member(action, "codeActionLiteralSupport").is_object();
  client.action_resolve = contains(member(action, "resolveSupport.properties"), "edit");
  client.action_tags = member(action, "tagSupport").is_object();
  client.progress = flag_member(all, "window.workDoneProgress");
  client.show_document = flag_member(all, "window.showDocument.support");
  client.configuration = flag_member(all, "workspace.configuration");
  client.watched_files = flag_member(all, "workspace.didChangeWatchedFiles.dynamicRegistration");
  client.inline_completion = member(all, "textDocument.inlineCompletion").is_object();
  client.text_content = member(all, "workspace.textDocumentContent").is_object();
  const Json& own = member(all, "experimental.bodkin");
  client.proposals = flag_member(own, "proposals");
  client.diagnostics = flag_member(own, "diagnostics");
  client.pull_diagnostics = flag_member(own, "pullDiagnostics");
  client.input = flag_member(own, "input");
  client.permit = flag_member(own, "permit");
  client.models = flag_member(own, "models");
  client.secrets = flag_member(own, "secrets");
  client.action_commands = flag_member(own, "actionCommands");
  return client;
}

Json server_capabilities(const Capabilities& client, const std::vector<std::string>& commands) {
  Json action = {{"codeActionKinds", {"quickfix", "refactor.rewrite", "source"}},
                 {"resolveProvider", true}};
  Json workspace = {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}};
  if (client.text_content) {
    workspace["textDocumentContent"] = {{"schemes", {"bodkin-proposal"}}};
  }
  Json all = {{"positionEncoding", name_of(client.encoding)},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
              {"codeActionProvider", std::move(action)},
              {"executeCommandProvider", {{"commands", commands}}},
              {"workspace", std::move(workspace)},
              {"experimental",
               {{"bodkin",
                 {{"version", 1},
                  {"proposals", true},
                  {"diagnosticsBridge", true},
                  {"languageModelBridge", true}}}}}};
  if (client.inline_completion) all["inlineCompletionProvider"] = true;
  return {{"capabilities", std::move(all)},
          {"serverInfo", {{"name", "bodkin"}, {"version", BODKIN_VERSION}}}};
}

}  // namespace bodkin::lsp
