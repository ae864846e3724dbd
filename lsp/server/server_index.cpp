// What tells the indexer that files have changed which no editor has open.
#include "grammars/languages.h"
#include "lsp/server/server.h"

namespace bodkin::lsp {

void Server::register_index() {
  connection_.on_notification("workspace/didChangeWatchedFiles", [this](const Json& params) {
    const Json& changes = member(params, "changes");
    if (!changes.is_array()) return;
    std::vector<std::string> paths;
    for (const Json& change : changes) {
      const std::string uri = text_member(change, "uri");
      if (!uri.empty()) paths.push_back(documents_.path_of(uri));
    }
    indexer_.changed(std::move(paths));
  });
}

// Only the files that an index is made of: an editor that watches everything has much to tell during
// a build.
void Server::watch_files() {
  std::string extensions;
  for (const Language& language : languages()) {
    for (const char c : language.extensions) extensions += c == ' ' ? ',' : c;
    if (!language.extensions.empty()) extensions += ',';
  }
  if (extensions.ends_with(',')) extensions.pop_back();
  Json watchers = {{{"globPattern", "**/*.{" + extensions + "}"}},
                   {{"globPattern", "**/{.gitignore,.bodkinignore}"}}};
  Json registration = {{"id", "bodkin/files"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions", {{"watchers", std::move(watchers)}}}};
  connection_.request("client/registerCapability",
                      {{"registrations", Json::array({std::move(registration)})}},
                      [](const Result<Json>&) {});  // who refuses is looked at before each ask
}

}  // namespace bodkin::lsp
