#include "lsp/server/server.h"

#include <cstdio>

#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "agent/workspace/file_rules.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/ending_signals.h"
#include "lsp/server/review_requests.h"
#include "lsp/server/serve.h"
#include "lsp/server/standard_streams.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/editor_workspace.h"

namespace bodkin::lsp {

Server::Server(int input, int output)
    : writer_(output),
      connection_([this](const Json& message) { writer_.send(text_of_json(message)); }) {
  log_.pass_on = [this](MessageType type, const std::string& line) {
    if (life_ == Life::running) return client_.log(type, line);
    put(stderr, "bodkin: " + line + "\n");
  };
  loop_.failed = [this](const char* what) {
    log_.add(MessageType::error, std::string("Internal error in bodkin: ") + what);
  };
  connect_settings();
  connect_documents();
  connect_proposals();
  serve_lifecycle();
  configuration_.serve(router_);
  document_sync_.serve(router_);
  trust_.serve(router_);
  code_actions_.serve(router_);
  next_edits_.serve(router_);
  serve_review(router_, proposals_, applier_, presenter_, questions_, earlier_sessions_);
  earlier_sessions_.serve(router_);
  serve_log(router_, log_, presenter_, can_);
  ask_commands_.serve(router_);
  chat_commands_.serve(router_);
  models_.serve(router_);
  reader_ = std::make_unique<Reader>(
      input, [this](std::optional<Frame> frame) { received(std::move(frame)); });
}

Server::~Server() {
  reader_.reset();
  handed_edits_.close();
  asks_.stop();
  work_.stop();
}

void Server::connect_settings() {
  history_.set_limits(history_limits(configuration_.settings()));
  const auto assume = [this] {
    const std::string own = configuration_.settings().text("files.encoding");
    assume_encoding(own.empty() ? documents_.loading_encoding() : own);
  };
  document_sync_.loading_encoding_changed = assume;
  configuration_.changed = [this, assume](bool model_changed) {
    assume();
    policy_.settings_changed();
    predictions_.settings_changed();
    history_.set_limits(history_limits(configuration_.settings()));
    if (model_changed) asks_.forget_models();  // the sessions' next asks go to the new one
    if (life_ != Life::running) return;
    status_.show();  // the mode
    if (can_.proposals) models_.look_up({});
  };
  trust_.lost = [this] {  // they may run what they were allowed to
    reporter_.set_why_cancelled("Cancelled, because the folder is no longer trusted.");
    asks_.cancel("");
  };
  trust_.refreshed = [this] {
    if (life_ == Life::running) handed_edits_.listen();
  };
}

void Server::connect_documents() {
  document_sync_.document_opened = [this](const std::string& uri) {
    applier_.document_opened(uri);
    handed_edits_.loaded(uri);
  };
  document_sync_.document_saved = [this](const std::string& uri) { handed_edits_.loaded(uri); };
  document_sync_.document_changed = [this](const std::string& uri,
                                           const std::vector<Replacement>& changes) {
    applier_.document_changed(uri, changes);
    handed_edits_.changed(uri);
    next_edits_.document_changed(uri, changes);
    rechecks_.document_changed(uri, asks_.running());
  };
  document_sync_.document_closed = [this](const std::string& uri) {
    presenter_.document_closed(uri);
    predictions_.closed(uri);
    handed_edits_.changed(uri);
  };
  document_sync_.disk_changed = [this](const std::vector<std::string>& uris) {
    applier_.files_changed(uris);
  };
  document_sync_.folders_changed = [this] {
    proposals_.folders_changed(documents_.roots());
    trust_.refresh();
  };
}

void Server::connect_proposals() {
  reporter_.apply = [this](const std::string& id) { return applier_.apply(id, nullptr); };
  code_actions_.is_asking = [this] { return !asks_.running().empty(); };
  presenter_.updated = [this](const Proposal& proposal) {
    earlier_sessions_.keep(proposal);
    checker_.changed(proposal, can_.diagnostics || can_.pull_diagnostics);
    rechecks_.consider(proposal);
    early_.changed(proposal);
    handed_edits_.updated(proposal);
  };
  early_.cancel = [this](const std::string& ask_id) { asks_.cancel(ask_id); };
  rechecks_.workspace = [this] { return workspace_now(); };
  predictions_.workspace = [this] { return workspace_now(); };
  recent_edits_.symbols = [this] { return indexer_.index(); };
  recent_edits_.read = [this](const std::string& path) -> std::optional<Text> {
    auto file = workspace_now()->read(path, {});
    if (!file) return std::nullopt;
    return std::move(file->text);
  };
  predictions_.told = [this](const std::string& who) { status_.set_predicting(who); };
  predictions_.used = [this](const Usage& used) { status_.add_predicted(used); };
  checker_.on_part = [this](const Proposal& proposal) { rechecks_.check_part(proposal); };
  applier_.offering = [this](const Proposal& proposal) { earlier_sessions_.keep_offer(proposal); };
  handed_edits_.is_on_its_way = [this](const auto& id, const auto& root, const auto& files) {
    return earlier_sessions_.is_on_its_way(id, root, files);
  };
  handed_edits_.given_up = [this](const std::string& id) { earlier_sessions_.forget(id); };
  applier_.applying = [this](const Proposal& proposal) { checker_.applying(proposal); };
  applier_.applied = [this](const Proposal& proposal) {
    recent_edits_.forget();  // it was a model's edit
    checker_.applied(proposal, can_.diagnostics || can_.pull_diagnostics);
    status_.show();
  };
  applier_.not_applied = [this](const std::string& id) { checker_.not_applied(id); };
  applier_.undone = [this](const Proposal& proposal) {
    checker_.undone(proposal);
    repairs_.undone(proposal);
    status_.show();
  };
  checker_.on_verdict = [this](EditorVerdict verdict) {
    repairs_.take_verdict(std::move(verdict));
    status_.show();
  };
  repairs_.began = [this](const std::string& ask_id, const std::string& title) {
    reporter_.began(ask_id, title, "");
  };
}

std::shared_ptr<Workspace> Server::workspace() {
  indexer_.refresh();
  return std::make_shared<EditorWorkspace>(documents_, indexer_.index(), trust_.is_trusted(),
                                           kIndexPatience);
}

std::shared_ptr<Workspace> Server::workspace_now() {
  return std::make_shared<EditorWorkspace>(documents_, indexer_.index(), trust_.is_trusted());
}

int Server::run() { return loop_.run(); }

void Server::end(int code) { loop_.stop(code); }

// On the reader's thread.
void Server::received(std::optional<Frame> frame) {
  if (!frame) {
    return loop_.post_reliably([this] { loop_.stop(life_ == Life::shut_down ? 0 : 1); });
  }
  loop_.post([this, frame = std::move(frame)] {
    if (writer_.has_given_up()) {
      std::fputs("bodkin: the editor has stopped reading; shutting down.\n", stderr);
      return loop_.stop(1);
    }
    if (frame->problem.empty()) return connection_.receive(frame->body);
    log_.add(MessageType::warning, frame->problem);
    Reply(nullptr, [this](const Json& message) {
      writer_.send(message.dump());
    }).error(ErrorCode::parse_error, frame->problem);
  });
}

void Server::serve_lifecycle() {
  connection_.admit =
      [this](std::string_view method,
             bool is_request) -> std::expected<void, std::pair<ErrorCode, std::string>> {
    if (method == "exit") return {};
    if (method == "initialize" && life_ == Life::fresh) return {};
    if (life_ == Life::fresh) {
      return std::unexpected(std::pair(ErrorCode::server_not_initialized,
                                       std::string("The server has not been initialized.")));
    }
    if (life_ == Life::shut_down || method == "initialize") {
      return std::unexpected(std::pair(
          ErrorCode::invalid_request,
          std::string(is_request && method == "initialize" ? "The server is already initialized."
                                                           : "The server has been shut down.")));
    }
    return {};
  };

  connection_.damaged = std::bind_front(&DocumentSync::missed, &document_sync_);
  connection_.on_request(
      "initialize", [this](const Json& params, Reply reply) { reply.result(initialize(params)); });
  connection_.on_notification("initialized", [this](const Json&) { initialized(); });
  connection_.on_request("shutdown", [this](const Json&, Reply reply) {
    asks_.cancel("");
    handed_edits_.close();
    life_ = Life::shut_down;
    reply.result(nullptr);
  });
  connection_.on_notification(
      "exit", [this](const Json&) { loop_.stop(life_ == Life::shut_down ? 0 : 1); });
}

Json Server::initialize(const Json& params) {
  life_ = Life::running;
  can_ = capabilities_of(params);
  client_models_.announced(can_);
  documents_.set_encoding(can_.encoding);
  auto given = decode<InitializeParams>(params).value_or(InitializeParams());
  documents_.change_folders({}, given.folders);
  proposals_.folders_changed(documents_.roots());
  if (const Json trusted = extract(given.options, kWorkspaceTrusted); trusted.is_boolean()) {
    trust_.set_by_editor(trusted.get<bool>());
  }
  configuration_.initialize(given.options);
  if (can_.pull_diagnostics) {
    bridge_.pull = [this](const Document& document, DiagnosticsBridge::Answer answer) {
      connection_.request(kPullDiagnostics,
                          {{"uri", document.uri}, {"documentVersion", document.version}},
                          std::move(answer));
    };
  }
  return server_capabilities(can_, router_.commands());
}

void Server::initialized() {
  // Reports the problems of the user's file and of the editor's first settings.
  configuration_.set(Settings::Layer::chosen, Json::object());
  configuration_.pull();
  status_.show();
  trust_.refresh();
  earlier_sessions_.restore_open();
  if (can_.watched_files) watch_files(client_);
}

}  // namespace bodkin::lsp

namespace bodkin {

int serve() {
  const auto streams = take_standard_streams();
  if (!streams) return 2;
  remove_abandoned_folders();  // of an earlier one that was killed
  lsp::Server server(streams->input, streams->output);
  // The writer outlives the wait for the orderly end, which an editor that does not read prolongs.
  const EndingSignals signals([&server](int signal) { server.end(128 + signal); });
  return server.run();
}

}  // namespace bodkin
