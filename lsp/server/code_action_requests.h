// CodeActionRequests: the lightbulb's menu, and the edit of what was chosen in it. Main thread
// only.
#pragma once

#include <functional>

#include "lsp/review/code_actions.h"
#include "lsp/server/outlines.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

class CodeActionRequests {
 public:
  CodeActionRequests(const Capabilities& can, const Documents& documents,
                     const DiagnosticsBridge& bridge, Review& review, const Questions& questions,
                     const Outlines& outlines)
      : can_(can),
        documents_(documents),
        bridge_(bridge),
        review_(review),
        questions_(questions),
        outlines_(outlines) {}
  void serve(Router& router);

  std::function<bool()> is_asking;  // an ask is running; must be set

 private:
  Json menu(CodeActionParams params) const;

  const Capabilities& can_;
  const Documents& documents_;
  const DiagnosticsBridge& bridge_;
  Review& review_;
  const Questions& questions_;
  const Outlines& outlines_;
};

}  // namespace bodkin::lsp
