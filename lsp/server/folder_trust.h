// FolderTrust: whether the folders that are open now are trusted (lsp/workspace/trust.h), and who
// must hear when that changes. Main thread only.
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

  std::function<void()> lost;  // they were trusted and no longer are

  void set_said(bool trusted) { trust_.set_said(trusted); }  // by the editor; then look_again()
  bool is_said() const { return trust_.is_said(); }
  void look_again();  // the folders, or what is said of them, have changed
  bool is_trusted() const { return trusted_; }

 private:
  Trust trust_;
  const Documents& documents_;
  Indexer& indexer_;
  bool trusted_ = false;
};

}  // namespace bodkin::lsp
