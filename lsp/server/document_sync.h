// DocumentSync: handles what the editor reports about its documents, their diagnostics, its folders
// and the files on disk, and passes it on. Main thread only.
#pragma once

#include <functional>

#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/server/outlines.h"
#include "lsp/server/recent_edits.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

class DocumentSync {
 public:
  DocumentSync(Documents& documents, DiagnosticsBridge& bridge, Outlines& outlines,
               Indexer& indexer, RecentEdits& recent)
      : documents_(documents),
        bridge_(bridge),
        outlines_(outlines),
        indexer_(indexer),
        recent_(recent) {}
  void serve(Router& router);
  // A notification about a document was not understood, or came with damage: from then on its text
  // is unknown, until all of it comes again.
  void missed(const Json& params);

  // Called for everything that follows the texts. All must be set.
  std::function<void(const std::string&uri)> document_opened, document_saved, document_closed;
  std::function<void(const std::string& uri, const std::vector<Replacement>& changes)>
      document_changed;
  std::function<void()> folders_changed, loading_encoding_changed;
  std::function<void(const std::vector<std::string>& uris)> disk_changed;

 private:
  void opened(const DidOpenParams& params);
  Result<void> changed(const DidChangeParams& params);
  void closed(const TextDocumentParams& params);
  void change_folders(const DidChangeFoldersParams& params);
  void files_changed(const DidChangeFilesParams& params);

  Documents& documents_;
  DiagnosticsBridge& bridge_;
  Outlines& outlines_;
  Indexer& indexer_;
  RecentEdits& recent_;
};

// Registers for changes of the files that the index covers, and no others: an editor that watches
// everything sends a lot during a build.
void watch_files(Client& client);

}  // namespace bodkin::lsp
