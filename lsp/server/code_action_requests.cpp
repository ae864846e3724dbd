#include "lsp/server/code_action_requests.h"

namespace bodkin::lsp {

void CodeActionRequests::serve(Router& router) {
  router.on_request<CodeActionParams>(
      "textDocument/codeAction",
      [this](CodeActionParams params, Reply reply) { reply.result(menu(std::move(params))); });
  router.on_request<Json>("codeAction/resolve", [this](Json action, Reply reply) {
    auto done = resolved(std::move(action), proposals_, applier_);
    done ? reply.result(*std::move(done)) : reply.error(done.error());
  });
}

Json CodeActionRequests::menu(CodeActionParams params) {
  CodeActionPlace place;
  place.params = std::move(params);
  place.document = documents_.find(place.params.uri);
  if (place.document) {
    if (auto symbol = outlines_.enclosing_at(*place.document, place.params.range)) {
      place.enclosing =
          Enclosing{std::move(symbol->name), {{symbol->lines.begin, 0}, {symbol->lines.end, 0}}};
    }
  }
  if (place.document && !place.document->lost && !place.params.automatic)
    place.implied = [this, document = place.document] { return recent_.implied(*document); };
  place.is_asking = is_asking();
  return code_actions(place, can_, bridge_, documents_, proposals_, applier_, questions_);
}

}  // namespace bodkin::lsp
