// NextEditRequests: answers the clients that ask for the next edit, elsewhere in the document
// (bodkin/nextEdits) or at the cursor (textDocument/inlineCompletion, LSP 3.18): what the person's
// last edit implies, without a model; else what a model predicts. Main thread only.
#pragma once

#include "lsp/server/predictions.h"

namespace bodkin::lsp {

class NextEditRequests {
 public:
  // All outlive it.
  NextEditRequests(const Documents& documents, const Settings& settings, const RecentEdits& recent,
                   Predictions& predictions)
      : documents_(documents), settings_(settings), recent_(recent), predictions_(predictions) {}
  void serve(Router& router);

  // For the menu of code actions: from memory. Where nothing is implied, what was predicted last.
  ImpliedEdits implied(const Document& document) const;

 private:
  void next_edits(const Arguments& arguments, Reply reply);
  void at_cursor(const Json& params, Reply reply);

  const Documents& documents_;
  const Settings& settings_;
  const RecentEdits& recent_;
  Predictions& predictions_;
};

}  // namespace bodkin::lsp
