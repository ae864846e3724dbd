// The requests and commands about proposals, questions and code actions: each is one call. Main
// thread only.
#pragma once

#include "lsp/review/code_actions.h"
#include "lsp/server/earlier_sessions.h"
#include "lsp/server/outlines.h"
#include "lsp/server/recent_edits.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

// All outlive the router's last message.
void serve_review(Router& router, Proposals& proposals, ProposalApplier& applier,
                  ProposalPresenter& presenter, Questions& questions, EarlierSessions& past);
// The lightbulb's menu, and the edit of the chosen action.
void serve_code_actions(Router& router, const Capabilities& can, const Documents& documents,
                        const DiagnosticsBridge& bridge, Proposals& proposals,
                        ProposalApplier& applier, const Questions& questions,
                        const Outlines& outlines, const RecentEdits& recent, const Asks& asks);
// bodkin.showLog: our own clients show the answer themselves.
void serve_log(Router& router, const Log& log, ProposalPresenter& presenter,
               const Capabilities& can);

}  // namespace bodkin::lsp
