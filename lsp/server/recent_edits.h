// RecentEdits: the person's last edits in each open document, and what they imply elsewhere in it:
// in the same lines and for the same name (edits/suggest/next_edits.h), for calls
// (agent/suggest/changed_calls.h) and imports (agent/suggest/missing_import.h). No model is asked.
// Main thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/suggest/suggest_format.h"
#include "grammars/symbol_index.h"
#include "lsp/review/code_actions.h"
#include "lsp/server/outlines.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class RecentEdits {
 public:
  explicit RecentEdits(const Outlines& outlines) : outlines_(outlines) {}  // outlives it

  std::function<std::shared_ptr<const SymbolIndex>()> symbols;  // of the workspace; must be set
  std::function<std::optional<Text>(const std::string& path)> read;  // of its files; must be set

  // `before`: the document's text until then. Changes of several places at once are not a person's
  // one edit: they are forgotten with all before them.
  void changed(const Document& document, const Text& before,
               const std::vector<Replacement>& changes);
  void closed(const std::string& uri);
  void forget();  // of all documents: somebody else changed them

  // The edits that the last one implies, for the present text, without those known to break the
  // syntax, for which a grammar is needed. None in a large file. Computed once for a version.
  ImpliedEdits implied(const Document& document) const;
  // The edits of the person, the oldest first: the last one in each of a few other documents, then
  // those in this one.
  std::vector<PastEdit> history(const Document& document) const;

 private:
  struct Edited {
    std::string path;
    RecentEdit edit;
    uint64_t when = 0;
    struct Known {
      uint64_t when = 0;
      std::weak_ptr<const SymbolIndex> symbols;
      ImpliedEdits implied;
    };
    mutable std::optional<Known> known;
  };
  ImpliedEdits work_out(const Document& document, const Edited& edited,
                        const SymbolIndex& all_symbols) const;

  const Outlines& outlines_;
  std::map<std::string, Edited> recent_;  // by the client's URI
  uint64_t changes_ = 0;
};

}  // namespace bodkin::lsp
