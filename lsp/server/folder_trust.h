// FolderTrust: whether the open folders are trusted (lsp/workspace/trust.h), and what happens when
// that changes. Main thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lsp/server/router.h"
#include "lsp/workspace/documents.h"
#include "lsp/workspace/indexer.h"
#include "lsp/workspace/trust.h"

namespace bodkin::lsp {

class FolderTrust {
 public:
  // `trusted`: the folders that the user's own settings name.
  FolderTrust(std::vector<std::string> trusted, const Documents& documents, Indexer& indexer)
      : trust_(std::move(trusted)), documents_(documents), indexer_(indexer) {}
  void serve(Router& router);

  std::function<void()> lost;       // called when they are no longer trusted
  std::function<void()> refreshed;  // called when the folders or their trust may have changed

  void set_by_editor(bool trusted) { trust_.set_by_editor(trusted); }  // then call refresh()
  bool is_set_by_editor() const { return trust_.is_set_by_editor(); }
  void refresh();  // to be called when the folders or their trust have changed
  bool is_trusted() const { return trusted_; }

 private:
  Result<void> trust_all();  // the open folders, for good

  Trust trust_;
  const Documents& documents_;
  Indexer& indexer_;
  bool trusted_ = false;
};

}  // namespace bodkin::lsp
