#include "lsp/server.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "lsp/commands.h"
#include "lsp/extensions.h"
#include "lsp/uri.h"

namespace bodkin::lsp {

Server::Server(int input, int output)
    : writer_(output),
      connection_([this](const Json& message) {
        writer_.send(message.dump(-1, ' ', false, Json::error_handler_t::replace));
      }),
      client_(connection_, can_),
      review_(loop_, connection_, client_, documents_, can_),
      bridge_(loop_, documents_),
      checks_(documents_, bridge_, settings_),
      worker_thread_([this] { worker_.run(); }) {
  log_.pass_on = [this](MessageType type, const std::string& line) {
    if (life_ == Life::running) return client_.log(type, line);
    std::fprintf(stderr, "bodkin: %s\n", line.c_str());
  };
  settings_.set(Settings::Layer::user_file, user_settings());
  editor_ = make_editor();
  asks_ = std::make_unique<Asks>(ask_host());
  review_.applying = [this](const Proposal& proposal) { checks_.applying(proposal); };
  review_.applied = [this](const Proposal& proposal) {
    checks_.applied(proposal, can_.diagnostics || can_.pull_diagnostics);
    show_status();
  };
  checks_.judged = [this](Judgement judgement) { judged(std::move(judgement)); };
  register_lifecycle();
  register_documents();
  register_index();
  connection_.on_request("workspace/executeCommand", [this](const Json& params, Reply reply) {
    execute(params, std::move(reply));
  });
  connection_.on_request(kStatusRequest, [this](const Json& params, Reply reply) {
    status(params, std::move(reply));
  });
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
    if (writer_.gave_up()) {
      std::fputs("bodkin: the editor does not read what it is sent; the server ends.\n", stderr);
      return loop_.stop(1);
    }
    if (frame->problem.empty()) return connection_.receive(frame->body);
    log_.add(MessageType::warning, frame->problem);
    Reply(nullptr, [this](const Json& message) {
      writer_.send(message.dump());
    }).error(ErrorCode::parse_error, frame->problem);
  });
}

void Server::register_lifecycle() {
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

  connection_.on_notification("workspace/didChangeConfiguration", [this](const Json& params) {
    const Json& given = member(params, "settings");
    if (given.is_object()) set_settings(Settings::Layer::changed, given);
    pull_configuration();
  });
  connection_.on_notification("window/workDoneProgress/cancel", [this](const Json& params) {
    const std::string token = text_member(params, "token");
    if (token.starts_with("bodkin/")) asks_->cancel(token.substr(7));
  });
}

Json Server::initialize(const Json& params) {
  life_ = Life::running;
  can_ = capabilities_of(params);
  client_models_.announced(can_);
  documents_.set_encoding(can_.encoding);
  if (auto folders = decode<std::vector<WorkspaceFolder>>(member(params, "workspaceFolders"))) {
    for (const auto& folder : *folders) documents_.add_folder(folder);
  } else if (const std::string root = text_member(params, "rootUri"); !root.empty()) {
    documents_.add_folder({root, ""});
  } else if (const std::string path = text_member(params, "rootPath"); !path.empty()) {
    documents_.add_folder({uri_of_path(path), ""});
  }
  settings_.set(Settings::Layer::initialization, member(params, "initializationOptions"));
  if (can_.pull_diagnostics) {
    bridge_.pull = [this](const Document& document, DiagnosticsBridge::Answer answer) {
      connection_.request(kPullDiagnostics,
                          {{"uri", document.uri}, {"documentVersion", document.version}},
                          std::move(answer));
    };
  }
  return server_capabilities(can_);
}

void Server::initialized() {
  // What the user's file and the editor's first words have wrong.
  set_settings(Settings::Layer::chosen, Json::object());
  pull_configuration();
  show_status();
  indexer_.set_roots(roots_of(documents_));
  if (can_.watched_files) watch_files();
}

void Server::set_settings(Settings::Layer layer, const Json& given) {
  settings_.set(layer, given);
  const std::string level = settings_.text("log.level");
  log_.most = level == "error"     ? MessageType::error
              : level == "warning" ? MessageType::warning
              : level == "debug"   ? MessageType::log
                                   : MessageType::information;
  for (const std::string& problem : settings_.problems()) {
    if (!told_.insert(problem).second) continue;
    log_.add(MessageType::warning, problem);
    client_.say(MessageType::warning, "bodkin: " + problem);
  }
}

void Server::pull_configuration() {
  client_.configuration(
      [this](const Json& given) { set_settings(Settings::Layer::configuration, given); });
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
