// The requests and commands about proposals and questions: each is a call of Review or Questions.
#pragma once

#include "lsp/editor/questions.h"
#include "lsp/review/review.h"
#include "lsp/server/router.h"

namespace bodkin::lsp {

// All outlive the router's last message.
void serve_review(Router& router, Review& review, Questions& questions);
// bodkin.showLog: our own clients show the answer themselves.
void serve_log(Router& router, const Log& log, Review& review, const Capabilities& can);

}  // namespace bodkin::lsp
