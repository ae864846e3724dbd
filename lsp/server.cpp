#include "lsp/server.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "lsp/commands.h"
#include "lsp/extensions.h"
#include "lsp/uri.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

}  // namespace

Server::Server(int input, int output)
    : writer_(output),
      connection_([this](const Json& message) {
        writer_.send(message.dump(-1, ' ', false, Json::error_handler_t::replace));
      }),
      review_(loop_, connection_, documents_, client_),
      bridge_(loop_, documents_),
      checks_(documents_, bridge_, settings_),
      worker_thread_([this] { worker_.run(); }) {
  settings_.set(Settings::Layer::user_file, user_settings());
  editor_ = make_editor();
  asks_ = std::make_unique<Asks>(ask_host());
  review_.applying = [this](const Proposal& proposal) { checks_.applying(proposal); };
  review_.applied = [this](const Proposal& proposal) {
    checks_.applied(proposal, client_.diagnostics || client_.pull_diagnostics);
  };
  checks_.judged = [this](Judgement judgement) { judged(std::move(judgement)); };
  register_methods();
  reader_ = std::make_unique<Reader>(
      input, [this](std::optional<Frame> frame) { received(std::move(frame)); });
}

Server::~Server() {
  reader_.reset();
  asks_.reset();
  worker_stop_.request_stop();
  worker_.stop(0);
}

int Server::run() { return loop_.run(); }

// On the reader's thread.
void Server::received(std::optional<Frame> frame) {
  loop_.post([this, frame = std::move(frame)] {
    if (!frame) return loop_.stop(life_ == Life::shut_down ? 0 : 1);
    if (frame->problem.empty()) return connection_.receive(frame->body);
    log(frame->problem, 2);
    Reply(nullptr, [this](const Json& message) {
      writer_.send(message.dump());
    }).error(ErrorCode::parse_error, frame->problem);
  });
}

void Server::log(const std::string& message, int type) {
  if (life_ == Life::running) {
    connection_.notify("window/logMessage", {{"type", type}, {"message", message}});
  } else {
    std::fprintf(stderr, "bodkin: %s\n", message.c_str());
  }
}

void Server::register_methods() {
  connection_.log = [this](const std::string& message) { log(message, 2); };
  connection_.admit =
      [this](std::string_view method,
             bool is_request) -> std::expected<void, std::pair<ErrorCode, std::string>> {
    if (method == "exit") return {};
    if (method == "initialize" && life_ == Life::fresh) return {};
    if (life_ == Life::fresh) {
      return std::unexpected(std::pair(ErrorCode::server_not_initialized,
                                       std::string("The server waits for initialize.")));
    }
    if (life_ == Life::shut_down || method == "initialize") {
      return std::unexpected(std::pair(
          ErrorCode::invalid_request,
          std::string(is_request && method == "initialize" ? "The server is initialized already."
                                                           : "The server was shut down.")));
    }
    return {};
  };

  connection_.on_request(
      "initialize", [this](const Json& params, Reply reply) { reply.result(initialize(params)); });
  connection_.on_notification("initialized", [this](const Json&) { initialized(); });
  connection_.on_request("shutdown", [this](const Json&, Reply reply) {
    asks_->cancel("");
    life_ = Life::shut_down;
    reply.result(nullptr);
  });
  connection_.on_notification(
      "exit", [this](const Json&) { loop_.stop(life_ == Life::shut_down ? 0 : 1); });

  connection_.on_notification("textDocument/didOpen", [this](const Json& params) {
    const auto item = decode<TextDocumentItem>(member(params, "textDocument"));
    if (!item) return log("didOpen: " + item.error().message, 2);
    documents_.open(*item);
    bridge_.document_changed(item->uri);
    review_.document_opened(item->uri);
    parse_soon(item->uri);
  });
  connection_.on_notification("textDocument/didChange", [this](const Json& params) {
    const auto change = decode<DidChangeParams>(params);
    if (!change) return log("didChange: " + change.error().message, 2);
    const auto changes = documents_.change(*change);
    if (!changes) return log(changes.error().message, 2);
    bridge_.document_changed(change->uri);
    review_.document_changed(change->uri, *changes);
    parse_soon(change->uri);
  });
  connection_.on_notification("textDocument/didClose", [this](const Json& params) {
    const std::string uri = text_member(params, "textDocument.uri");
    indexer_.closed(documents_.path_of(uri));
    documents_.close(uri);
    review_.document_closed(uri);
    outlines_.erase(uri);
  });
  connection_.on_notification("workspace/didChangeWorkspaceFolders", [this](const Json& params) {
    const Json& event = member(params, "event");
    const auto removed = decode<std::vector<WorkspaceFolder>>(member(event, "removed"));
    const auto added = decode<std::vector<WorkspaceFolder>>(member(event, "added"));
    if (removed) {
      for (const auto& folder : *removed) documents_.remove_folder(folder.uri);
    }
    if (added) {
      for (const auto& folder : *added) documents_.add_folder(folder);
    }
    indexer_.set_roots(roots_of(documents_));
    for (const auto& [uri, document] : documents_.all()) parse_soon(document.uri);
  });
  connection_.on_notification("workspace/didChangeConfiguration", [this](const Json& params) {
    const Json& given = member(params, "settings");
    if (given.is_object()) settings_.set(Settings::Layer::changed, given);
    if (client_.configuration) pull_configuration();
  });
  connection_.on_notification(kDidChangeDiagnostics, [this](const Json& params) {
    const auto given = decode<DiagnosticsParams>(params);
    if (!given) return log(std::string(kDidChangeDiagnostics) + ": " + given.error().message, 2);
    bridge_.receive(*given);
  });
  connection_.on_notification("window/workDoneProgress/cancel", [this](const Json& params) {
    const std::string token = text_member(params, "token");
    if (token.starts_with("bodkin/")) asks_->cancel(token.substr(7));
  });

  connection_.on_request("textDocument/codeAction", [this](const Json& params, Reply reply) {
    auto decoded = decode<CodeActionParams>(params);
    if (!decoded) return reply.error(decoded.error());
    Place place;
    place.params = std::move(*decoded);
    place.document = documents_.find(place.params.uri);
    if (place.document) place.enclosing = enclosing_at(*place.document, place.params.range);
    place.is_asking = !asks_->running().empty();
    reply.result(code_actions(place, client_, bridge_, documents_, review_));
  });
  connection_.on_request("codeAction/resolve", [this](const Json& params, Reply reply) {
    reply.result(resolved(params, client_, documents_, review_));
  });
  connection_.on_request("workspace/executeCommand", [this](const Json& params, Reply reply) {
    execute(params, std::move(reply));
  });
  connection_.on_request(kListProposals,
                         [this](const Json&, Reply reply) { reply.result(review_.list()); });
  connection_.on_request(kProposalContent, [this](const Json& params, Reply reply) {
    auto content = review_.content(text_member(params, "proposalId"), text_member(params, "uri"));
    content ? reply.result(std::move(*content)) : reply.error(content.error());
  });
  connection_.on_request(kStatusRequest,
                         [this](const Json&, Reply reply) { reply.result(status()); });
  register_index();
}

Json Server::initialize(const Json& params) {
  life_ = Life::running;
  client_ = capabilities_of(params);
  documents_.set_encoding(client_.encoding);
  if (auto folders = decode<std::vector<WorkspaceFolder>>(member(params, "workspaceFolders"))) {
    for (const auto& folder : *folders) documents_.add_folder(folder);
  } else if (const std::string root = text_member(params, "rootUri"); !root.empty()) {
    documents_.add_folder({root, ""});
  } else if (const std::string path = text_member(params, "rootPath"); !path.empty()) {
    documents_.add_folder({uri_of_path(path), ""});
  }
  settings_.set(Settings::Layer::initialization, member(params, "initializationOptions"));
  if (client_.pull_diagnostics) {
    bridge_.pull = [this](const Document& document, DiagnosticsBridge::Answer answer) {
      connection_.request(kPullDiagnostics,
                          {{"uri", document.uri}, {"documentVersion", document.version}},
                          std::move(answer));
    };
  }
  return server_capabilities(client_);
}

void Server::initialized() {
  if (client_.configuration) pull_configuration();
  indexer_.set_roots(roots_of(documents_));
  if (client_.watched_files) watch_files();
}

void Server::pull_configuration() {
  Json items = Json::array({{{"section", "bodkin"}}});
  connection_.request("workspace/configuration", {{"items", std::move(items)}},
                      [this](const Result<Json>& answer) {
                        if (!answer || !answer->is_array() || answer->empty()) return;
                        if (!(*answer)[0].is_object()) return;
                        settings_.set(Settings::Layer::configuration, (*answer)[0]);
                      });
}

// Keeps the outline of an open document, for code actions. Parsing happens on the worker, when the
// person paused.
void Server::parse_soon(const std::string& uri) {
  if (!to_parse_.insert(uri).second) return;
  loop_.post_after(200ms, [this, uri] {
    to_parse_.erase(uri);
    const Document* document = documents_.find(uri);
    if (!document) return;
    const Language* language = language_with_id(document->language);
    if (!language) language = language_of(document->path, document->text.line(0));
    if (!language) return;
    worker_.post([this, uri, language, text = document->text, version = document->version,
                  stop = worker_stop_.get_token()] {
      if (stop.stop_requested()) return;
      ParseLimits limits;
      limits.stop = stop;
      auto tree = SyntaxTree::parse(*language, text, limits);
      if (!tree) return;
      Outline found = outline(*tree);
      loop_.post([this, uri, version, symbols = symbols_of(*tree, found),
                  found = std::move(found)]() mutable {
        const Document* open = documents_.find(uri);
        if (!open) return;
        outlines_[uri] = {version, std::move(found)};
        indexer_.opened(open->path, std::move(symbols));
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

namespace bodkin {

int serve() {
  std::signal(SIGPIPE, SIG_IGN);
  // The protocol has descriptors of its own: what a library prints, or a child program reads, must
  // not get into it.
  const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
  const int output = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || output < 0 || nothing < 0) {
    std::fputs("bodkin: standard input and output are needed.\n", stderr);
    return 2;
  }
  ::dup2(nothing, 0);
  ::dup2(2, 1);
  lsp::Server server(input, output);
  return server.run();
}

}  // namespace bodkin
