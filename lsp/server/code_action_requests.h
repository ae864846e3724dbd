// CodeActionRequests: the lightbulb's menu, and the edit of the chosen action. Main thread only.
#pragma once

#include <functional>

#include "lsp/review/code_actions.h"
#include "lsp/server/outlines.h"
#include "lsp/server/recent_edits.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

class CodeActionRequests {
 public:
  CodeActionRequests(const Capabilities& can, const Documents& documents,
                     const DiagnosticsBridge& bridge, Proposals& proposals,
                     ProposalApplier& applier, const Questions& questions, const Outlines& outlines,
                     const RecentEdits& recent)
      : can_(can),
        documents_(documents),
        bridge_(bridge),
        proposals_(proposals),
        applier_(applier),
        questions_(questions),
        outlines_(outlines),
        recent_(recent) {}
  void serve(Router& router);

  std::function<bool()> is_asking;  // an ask is running; must be set

 private:
  Json menu(CodeActionParams params);

  const Capabilities& can_;
  const Documents& documents_;
  const DiagnosticsBridge& bridge_;
  Proposals& proposals_;
  ProposalApplier& applier_;
  const Questions& questions_;
  const Outlines& outlines_;
  const RecentEdits& recent_;
};

}  // namespace bodkin::lsp
