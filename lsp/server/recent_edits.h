// RecentEdits: what the person edited last in each open document, and what that implies elsewhere
// in it (edits/suggest/next_edits.h). No model is asked. Main thread only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/suggest/suggest_format.h"
#include "lsp/review/code_actions.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class RecentEdits {
 public:
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
  // The edits of the person, the oldest first: the last one in each of a few other documents, then
  // those in this one.
  std::vector<PastEdit> history(const Document& document) const;

 private:
  struct Edited {
    std::string path;
    RecentEdit edit;
    uint64_t when = 0;
  };
  std::map<std::string, Edited> recent_;  // by the client's URI
  uint64_t changes_ = 0;
};

}  // namespace bodkin::lsp
