// Code actions: the lightbulb's offers at a location. Answered from memory, in microseconds: one
// slow server delays the whole menu (lsp/README.md, "Facts", 7). Main thread only.
#pragma once

#include <functional>

#include "edits/suggest/next_edits.h"
#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/editor/questions.h"
#include "lsp/review/proposal_applier.h"

namespace bodkin::lsp {

struct Enclosing {  // the function or class around the place
  std::string name;
  Range range;
};

// The edits elsewhere in the document that the person's last edit implies.
struct ImpliedEdits {
  LineRange edited;  // by that edit, as the text is now
  NextEdits next;
  bool is_predicted = false;  // by a model

  std::string what() const;  // "Same change", "limit → bound", "Next edit"
};

struct CodeActionPlace {
  CodeActionParams params;
  const Document* document = nullptr;
  std::optional<Enclosing> enclosing;
  std::function<ImpliedEdits()> implied;  // called only if it may be offered; may be empty
  bool is_asking = false;                 // an ask is running
};

// Never `isPreferred`, never a source.fixAll kind.
Json code_actions(const CodeActionPlace& place, const Capabilities& client,
                  const DiagnosticsBridge& bridge, const Documents& documents, Proposals& proposals,
                  ProposalApplier& applier, const Questions& questions);

// codeAction/resolve: gives an action of a proposal its edit. Idempotent; the rest stays as it is.
// Errors, for the user: as ProposalApplier::edit_of().
Result<Json> resolved(Json action, Proposals& proposals, ProposalApplier& applier);

}  // namespace bodkin::lsp
