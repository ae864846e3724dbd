#include "lsp/server/recent_edits.h"

#include <algorithm>

#include "edits/place/write.h"
#include "grammars/syntax_tree.h"
#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {

void RecentEdits::serve(Router& router) {
  router.on_own_request(kNextEdits, "uri", [this](const Arguments& arguments, Reply reply) {
    Json edits = Json::array();
    const Document* document = documents_.find(arguments.uri);
    ImpliedEdits found;
    if (document && !document->lost) found = implied(*document);
    for (const NextEdit& edit : found.next.edits)
      edits.push_back(
          {{"range", to_range(document->text, edit.change.offset,
                              edit.change.offset + edit.change.length, documents_.encoding())},
           {"newText", edit.change.text}});
    reply.result({{"version", document ? Json(document->version) : Json()},
                  {"what", found.what()},
                  {"edits", std::move(edits)}});
  });
}

void RecentEdits::changed(const Document& document, const Text& before,
                          const std::vector<Replacement>& changes) {
  if (changes.size() > 1 || document.lost) return closed(document.uri);
  for (const Replacement& change : changes)
    recent_[document.uri].note(before, document.text, change);
}

void RecentEdits::closed(const std::string& uri) { recent_.erase(uri); }
void RecentEdits::forget() { recent_.clear(); }

ImpliedEdits RecentEdits::implied(const Document& document) const {
  ImpliedEdits out;
  const auto recent = recent_.find(document.uri);
  const auto edit = recent == recent_.end() ? std::nullopt : recent->second.last();
  if (!edit) return out;
  out.edited = {edit->first, edit->first + std::max<size_t>(edit->after.size(), 1)};
  out.next = next_edits(document.text, *edit, recent->second.earlier());
  if (out.next.edits.empty() || document.text.size() > kParsedAtOnce) return out;
  const auto syntax = make_syntax();
  const auto breaks = [&](const std::vector<Replacement>& edits) {
    const auto errors =
        syntax->new_errors(document.path, document.text, with_edits(document.text, edits));
    return errors && !errors->empty();
  };
  std::vector<Replacement> all;
  for (const NextEdit& next : out.next.edits) all.push_back(next.change);
  std::ranges::sort(all, {}, &Replacement::offset);
  if (breaks(all))  // hardly ever
    std::erase_if(out.next.edits, [&](const NextEdit& next) { return breaks({next.change}); });
  return out;
}

}  // namespace bodkin::lsp
