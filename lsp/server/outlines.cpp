#include "lsp/server/outlines.h"

#include "agent/support/guarded.h"
#include "grammars/languages.h"

namespace bodkin::lsp {

using namespace std::chrono_literals;

Outlines::Outlines(EventLoop& loop, const Documents& documents, Indexer& indexer)
    : loop_(loop), documents_(documents), indexer_(indexer), thread_([this] { parser_.run(); }) {}

Outlines::~Outlines() {
  stop_.request_stop();
  parser_.stop(0);
}

void Outlines::parse_soon(const std::string& uri) {
  if (!parsing_.insert(uri).second) return;
  loop_.post_after(200ms, [this, uri] { parse(uri); });
}

void Outlines::close(const std::string& uri) {
  indexer_.closed(documents_.path_of(uri));
  if (const Document* document = documents_.find(uri)) outlines_.erase(document->uri);
  outlines_.erase(uri);
}

void Outlines::parse(const std::string& uri) {
  const Document* document = documents_.find(uri);
  const Language* language = document ? language_with_id(document->language) : nullptr;
  if (document && !language) language = language_of(document->path, document->text.line(0));
  if (!language) {
    parsing_.erase(uri);
    return;
  }
  std::optional<SyntaxTree> previous;
  if (const auto known = outlines_.find(uri); known != outlines_.end()) {
    previous = known->second.tree;
  }
  parser_.post([this, uri, language, previous, text = document->text, version = document->version,
                stop = stop_.get_token()] {
    if (stop.stop_requested()) return;
    ParseLimits limits;
    limits.stop = stop;
    Result<SyntaxTree> tree = fail(Error::Code::internal, "not parsed");
    Outline found;
    FileSymbols symbols;
    // A failure counts as a text that cannot be parsed: it is asked again after the next change.
    const bool is_done = guarded([&] {
      tree = SyntaxTree::parse(*language, text, limits, previous ? &*previous : nullptr);
      if (!tree) return;
      found = outline(*tree);
      symbols = symbols_of(*tree, found);
    });
    if (!is_done) tree = fail(Error::Code::internal, "not parsed");
    loop_.post([this, uri, text, version, tree = std::move(tree), symbols = std::move(symbols),
                found = std::move(found)]() mutable {
      parsing_.erase(uri);
      const Document* open = documents_.find(uri);
      if (!open) return;
      if (open->text == text && tree) {
        outlines_.insert_or_assign(uri, Outlined{version, std::move(found), *std::move(tree)});
        indexer_.opened(open->path, std::move(symbols));
      } else if (open->text != text) {
        parse_soon(uri);
      }
    });
  });
}

const Outlines::Outlined* Outlines::last_of(const Document& document) const {
  const auto found = outlines_.find(document.uri);
  return found == outlines_.end() ? nullptr : &found->second;
}

std::optional<Symbol> Outlines::enclosing_at(const Document& document, const Range& range) const {
  const Outlined* const last = last_of(document);
  if (!last || last->version != document.version) return std::nullopt;
  const Symbol* symbol = enclosing(last->outline, {range.start.line, range.end.line + 1});
  return symbol ? std::optional(*symbol) : std::nullopt;
}

}  // namespace bodkin::lsp
