// NextEditRequests: answers clients that ask for the next edit, elsewhere in the document
// (bodkin/nextEdits) or at the cursor (textDocument/inlineCompletion, LSP 3.18): implied by the
// person's last edit, without a model; else predicted by a model. Main thread only.
#pragma once

#include "lsp/server/predictions.h"

namespace bodkin::lsp {

class NextEditRequests {
 public:
  // All outlive it.
  NextEditRequests(EventLoop& loop, const Capabilities& can, const Documents& documents,
                   const Settings& settings, const RecentEdits& recent, Predictions& predictions)
      : loop_(loop),
        can_(can),
        documents_(documents),
        settings_(settings),
        recent_(recent),
        predictions_(predictions) {}
  void serve(Router& router);

  // For an editor that cannot ask for the next edit: predicts one after typing has stopped, which
  // is then in the menu.
  void document_changed(const std::string& uri, const std::vector<Replacement>& changes);

  // For the menu of code actions: from memory. If nothing is implied, the last prediction.
  ImpliedEdits implied(const Document& document) const;

 private:
  bool is_off() const;
  void next_edits(const Arguments& arguments, Reply reply);
  void at_cursor(const Json& params, Reply reply);

  EventLoop& loop_;
  const Capabilities& can_;
  const Documents& documents_;
  const Settings& settings_;
  const RecentEdits& recent_;
  Predictions& predictions_;
};

}  // namespace bodkin::lsp
