// RecentEdits: what the person edited last in each open document, and what that implies elsewhere
// in it (edits/suggest/next_edits.h): offered as code actions, and to clients that draw it. No
// model is asked. Main thread only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lsp/review/code_actions.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

class RecentEdits {
 public:
  explicit RecentEdits(const Documents& documents) : documents_(documents) {}
  void serve(Router& router);

  // `before`: the document's text until then. Changes of several places at once are no person's
  // one edit: they are forgotten with all before them.
  void changed(const Document& document, const Text& before,
               const std::vector<Replacement>& changes);
  void closed(const std::string& uri);
  void forget();  // of all documents: somebody else changed them

  // The edits that the last one implies, as the text is now, without those that are known to break
  // the syntax, which is not known of a large file or without a grammar. Takes one parse of the
  // file.
  ImpliedEdits implied(const Document& document) const;

 private:
  const Documents& documents_;
  std::map<std::string, RecentEdit> recent_;  // by the client's URI
};

}  // namespace bodkin::lsp
