// Documents as the editor has them, their outlines, and what is asked about a place in them.
#include "agent/support/guarded.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/server.h"

namespace bodkin::lsp {

using namespace std::chrono_literals;

void Server::register_documents() {
  connection_.on_notification("textDocument/didOpen", [this](const Json& params) {
    const auto item = decode<TextDocumentItem>(member(params, "textDocument"));
    if (!item) return log_.add(MessageType::warning, "didOpen: " + item.error().message);
    documents_.open(*item);
    bridge_.document_changed(item->uri);
    applier_.document_opened(item->uri);
    parse_soon(item->uri);
  });
  connection_.on_notification("textDocument/didChange", [this](const Json& params) {
    const auto change = decode<DidChangeParams>(params);
    if (!change) return log_.add(MessageType::warning, "didChange: " + change.error().message);
    const auto changes = documents_.change(*change);
    if (!changes) return log_.add(MessageType::warning, changes.error().message);
    bridge_.document_changed(change->uri);
    applier_.document_changed(change->uri, *changes);
    parse_soon(change->uri);
  });
  connection_.on_notification("textDocument/didClose", [this](const Json& params) {
    const std::string uri = text_member(params, "textDocument.uri");
    const Document* document = documents_.find(uri);
    const std::string opened = document ? document->uri : uri;  // as it was spelled then
    indexer_.closed(documents_.path_of(uri));
    documents_.close(uri);
    bridge_.document_closed(opened);
    presenter_.document_closed(opened);
    outlines_.erase(opened);
    outlines_.erase(uri);
  });
  connection_.on_notification("workspace/didChangeWorkspaceFolders", [this](const Json& params) {
    const Json& event = member(params, "event");
    const auto removed = decode<std::vector<WorkspaceFolder>>(member(event, "removed"));
    const auto added = decode<std::vector<WorkspaceFolder>>(member(event, "added"));
    using Folders = std::vector<WorkspaceFolder>;
    documents_.change_folders(removed.value_or(Folders()), added.value_or(Folders()));
    bridge_.folders_changed();
    proposals_.folders_changed(documents_.roots());
    look_at_folders();
    for (const auto& [uri, document] : documents_.all()) parse_soon(document.uri);
  });
  connection_.on_notification(kDidChangeDiagnostics, [this](const Json& params) {
    const auto given = decode<DiagnosticsParams>(params);
    if (!given)
      return log_.add(MessageType::warning,
                      std::string(kDidChangeDiagnostics) + ": " + given.error().message);
    bridge_.receive(*given);
  });
  connection_.on_request("textDocument/codeAction", [this](const Json& params, Reply reply) {
    auto decoded = decode<CodeActionParams>(params);
    if (!decoded) return reply.error(decoded.error());
    CodeActionPlace place;
    place.params = std::move(*decoded);
    place.document = documents_.find(place.params.uri);
    if (place.document) place.enclosing = enclosing_at(*place.document, place.params.range);
    place.is_asking = !asks_->running().empty();
    reply.result(code_actions(place, can_, bridge_, documents_, proposals_, questions_));
  });
  connection_.on_request("codeAction/resolve", [this](const Json& params, Reply reply) {
    reply.result(resolved(params, can_, documents_, proposals_));
  });
  connection_.on_request(kListProposals, [this](const Json& params, Reply reply) {
    const auto arguments = arguments_of(kListProposals, "", params);
    arguments ? reply.result(presenter_.list()) : reply.error(arguments.error());
  });
  connection_.on_request(kProposalContent, [this](const Json& params, Reply reply) {
    const auto arguments = arguments_of(kProposalContent, "proposalId, uri", params);
    if (!arguments) return reply.error(arguments.error());
    auto content = presenter_.content(arguments->proposal_id, arguments->uri);
    content ? reply.result(std::move(*content)) : reply.error(content.error());
  });
  connection_.on_request("workspace/textDocumentContent", [this](const Json& params, Reply reply) {
    auto text = presenter_.text_of(text_member(params, "uri"));
    text ? reply.result({{"text", *std::move(text)}}) : reply.error(text.error());
  });
}

// Keeps the tree and the outline of an open document, for code actions. Parsing happens on the worker,
// once the person paused, one version of a document at a time; who types on meanwhile is parsed next.
void Server::parse_soon(const std::string& uri) {
  if (!parsing_.insert(uri).second) return;
  loop_.post_after(200ms, [this, uri] {
    const Document* document = documents_.find(uri);
    const Language* language = document ? language_with_id(document->language) : nullptr;
    if (document && !language) language = language_of(document->path, document->text.line(0));
    if (!language) {
      parsing_.erase(uri);
      return;
    }
    std::optional<SyntaxTree> previous;
    if (const auto known = outlines_.find(uri); known != outlines_.end()) previous = known->second.tree;
    worker_.post([this, uri, language, previous, text = document->text, version = document->version,
                  stop = worker_stop_.get_token()] {
      if (stop.stop_requested()) return;
      ParseLimits limits;
      limits.stop = stop;
      Result<SyntaxTree> tree = fail(Error::Code::internal, "not parsed");
      Outline found;
      FileSymbols symbols;
      // What fails is as a text that cannot be parsed: it is asked again after the next change.
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
  });
}

std::optional<Enclosing> Server::enclosing_at(const Document& document, const Range& range) const {
  const auto found = outlines_.find(document.uri);
  if (found == outlines_.end() || found->second.version != document.version) return std::nullopt;
  const Symbol* symbol = enclosing(found->second.outline, {range.start.line, range.end.line + 1});
  if (!symbol) return std::nullopt;
  return Enclosing{symbol->name, {{symbol->lines.begin, 0}, {symbol->lines.end, 0}}};
}

}  // namespace bodkin::lsp
