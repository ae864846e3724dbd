// The requests and commands about proposals and questions: each is one call. Main thread
// only.
#pragma once

#include "lsp/editor/questions.h"
#include "lsp/review/proposal_applier.h"
#include "lsp/server/earlier_sessions.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

// All outlive the router's last message.
void serve_review(Router& router, Proposals& proposals, ProposalApplier& applier,
                  ProposalPresenter& presenter, Questions& questions, EarlierSessions& past);
// bodkin.showLog: our own clients show the answer themselves.
void serve_log(Router& router, const Log& log, ProposalPresenter& presenter,
               const Capabilities& can);

}  // namespace bodkin::lsp
