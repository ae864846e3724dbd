#include "lsp/server/next_edit_requests.h"

#include <algorithm>
#include <utility>

#include "lsp/protocol/extensions.h"
#include "lsp/review/workspace_edit.h"

namespace bodkin::lsp {

namespace {

constexpr auto kPause = std::chrono::milliseconds(400);

NextEdits next_edits_of(const Text& text, std::vector<Replacement> changes, size_t cursor) {
  NextEdits next;
  for (Replacement& change : changes)
    next.edits.push_back(
        {{text.line_of(change.offset), text.line_of(change.offset + change.length) + 1},
         std::move(change)});
  const size_t line = text.line_of(cursor);
  std::ranges::stable_partition(next.edits,
                                [&](const NextEdit& edit) { return edit.lines.end > line; });
  return next;
}

}  // namespace

void NextEditRequests::serve(Router& router) {
  router.on_own_request(kNextEdits, "uri, range?",
                        std::bind_front(&NextEditRequests::next_edits, this));
  router.on_request<Json>("textDocument/inlineCompletion",
                          std::bind_front(&NextEditRequests::at_cursor, this));
}

bool NextEditRequests::is_off() const { return settings_.text("suggest.nextEdits") == "off"; }

ImpliedEdits NextEditRequests::implied(const Document& document) const {
  if (is_off()) return {};
  ImpliedEdits found = recent_.implied(document);
  if (is_any_sure(found.next)) return found;
  Prediction known = predictions_.known(document);
  if (known.edits.empty()) return found;
  found.edited = {0, document.text.line_count()};
  found.next = next_edits_of(document.text, std::move(known.edits), 0);
  found.is_predicted = true;
  return found;
}

void NextEditRequests::document_changed(const std::string& uri,
                                        const std::vector<Replacement>& changes) {
  const Document* const document = documents_.find(uri);
  if (can_.proposals || can_.inline_completion || is_off() || !predictions_.is_on() || !document ||
      changes.empty())
    return;
  const size_t cursor = changes.back().offset + changes.back().text.size();
  loop_.post_after(kPause, [this, uri, cursor, version = document->version] {
    const Document* const now = documents_.find(uri);
    if (now && now->version == version && !is_any_sure(recent_.implied(*now).next))
      predictions_.predict(*now, cursor, {}, [](const Prediction&) {});
  });
}

void NextEditRequests::next_edits(const Arguments& arguments, Reply reply) {
  const Document* const document = documents_.find(arguments.uri);
  const auto answer = [this](Reply to, const Document* of, const ImpliedEdits& found,
                             bool is_checked) {
    Json edits = Json::array();
    for (const NextEdit& edit : found.next.edits) {
      edits.push_back(text_edit(of->text, edit.change, documents_.encoding()));
      if (!edit.message.empty()) edits.back()["message"] = edit.message;
    }
    Json result = {{"version", of ? Json(of->version) : Json()},
                   {"what", found.what()},
                   {"edits", std::move(edits)}};
    if (found.is_predicted) result["checked"] = is_checked;
    to.result(std::move(result));
  };
  if (!document || document->lost || is_off()) return answer(std::move(reply), document, {}, false);
  ImpliedEdits found = recent_.implied(*document);
  std::erase_if(found.next.edits, [](const NextEdit& edit) { return !edit.is_sure; });
  if (found.next.edits.empty()) found = {};
  if (!found.next.edits.empty() || !arguments.range || !predictions_.is_on())
    return answer(std::move(reply), document, found, false);
  const size_t cursor = to_offset(document->text, arguments.range->start, documents_.encoding());
  const std::stop_token stop = reply.stop();
  predictions_.predict(*document, cursor, stop,
                       [this, answer, uri = document->uri, cursor,
                        reply = std::move(reply)](Prediction prediction) mutable {
                         const Document* const now = documents_.find(uri);
                         ImpliedEdits predicted;
                         predicted.is_predicted = true;
                         if (now)
                           predicted.next =
                               next_edits_of(now->text, std::move(prediction.edits), cursor);
                         answer(std::move(reply), now, predicted, prediction.is_checked);
                       });
}

// Predicts how the line continues at the cursor: replaces its text between the cursor and the end
// of the change.
void NextEditRequests::at_cursor(const Json& params, Reply reply) {
  const Document* const document = documents_.find(text_member(params, "textDocument.uri"));
  const auto position = decode<Position>(member(params, "position"));
  if (!document || document->lost || !position || is_off() || !predictions_.is_on())
    return reply.result({{"items", Json::array()}});
  const size_t cursor = to_offset(document->text, *position, documents_.encoding());
  const std::stop_token stop = reply.stop();
  predictions_.predict(
      *document, cursor, stop,
      [this, uri = document->uri, cursor,
       reply = std::move(reply)](const Prediction& prediction) mutable {
        Json items = Json::array();
        const Document* const now = documents_.find(uri);
        for (const Replacement& edit : prediction.edits) {
          const Text after = now->text.replace(edit.offset, edit.length, edit.text);
          const Replacement least = difference(now->text, after);
          const size_t line = now->text.line_of(cursor), end = least.offset + least.length;
          if (least.offset < cursor || end > now->text.line_end(line)) continue;
          items.push_back(
              {{"insertText", now->text.substr(cursor, least.offset - cursor) + least.text},
               {"range", to_range(now->text, cursor, end, documents_.encoding())}});
          break;
        }
        reply.result({{"items", std::move(items)}});
      });
}

}  // namespace bodkin::lsp
