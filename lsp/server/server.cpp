#include "lsp/server/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>

#include "agent/rpc/uri.h"
#include "agent/support/keeper.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/ending_signals.h"
#include "lsp/server/serve.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMostTold = 1000;  // problems of settings

}  // namespace

Server::Server(int input, int output)
    : writer_(output),
      connection_([this](const Json& message) {
        writer_.send(message.dump(-1, ' ', false, Json::error_handler_t::replace));
      }),
      client_(connection_, can_),
      questions_(loop_, connection_, client_, can_),
      review_(loop_, connection_, client_, documents_, can_),
      bridge_(loop_, documents_),
      checks_(documents_, bridge_, settings_),
      worker_thread_([this] { worker_.run(); }) {
  log_.pass_on = [this](MessageType type, const std::string& line) {
    if (life_ == Life::running) return client_.log(type, line);
    put(stderr, "bodkin: " + line + "\n");
  };
  loop_.failed = [this](const char* what) {
    log_.add(MessageType::error, std::string("Internal error in bodkin: ") + what);
  };
  settings_.set(Settings::Layer::user_file, user_settings());
  trust_ = Trust(settings_.list("workspace.trusted"));
  editor_ = make_editor();
  asks_ = std::make_unique<Asks>(ask_host());
  review_.applying = [this](const Proposal& proposal) { checks_.applying(proposal); };
  review_.applied = [this](const Proposal& proposal) {
    checks_.applied(proposal, can_.diagnostics || can_.pull_diagnostics);
    show_status();
  };
  review_.not_applied = [this](const std::string& id) { checks_.not_applied(id); };
  review_.undone = [this](const Proposal& proposal) {
    checks_.undone(proposal);
    if (const auto offer = offers_.find(proposal.id); offer != offers_.end()) {
      questions_.withdraw(offer->second);
      offers_.erase(offer);
    }
    show_status();
  };
  checks_.judged = [this](Judgement judgement) { judged(std::move(judgement)); };
  register_lifecycle();
  register_documents();
  register_index();
  register_trust();
  connection_.on_request("workspace/executeCommand", [this](const Json& params, Reply reply) {
    execute(params, std::move(reply));
  });
  connection_.on_request(kStatusRequest, [this](const Json& params, Reply reply) {
    const auto arguments = arguments_of(kStatusRequest, "", params);
    arguments ? status(*arguments, std::move(reply)) : reply.error(arguments.error());
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

void Server::end(int code) { loop_.stop(code); }

// On the reader's thread.
void Server::received(std::optional<Frame> frame) {
  if (!frame) {
    return loop_.post_surely([this] { loop_.stop(life_ == Life::shut_down ? 0 : 1); });
  }
  loop_.post([this, frame = std::move(frame)] {
    if (writer_.gave_up()) {
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

void Server::register_lifecycle() {
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
    constexpr std::string_view kOurs = "bodkin/";
    if (token.size() > kOurs.size() && token.starts_with(kOurs)) {
      asks_->cancel(token.substr(kOurs.size()));
    }
  });
}

Json Server::initialize(const Json& params) {
  life_ = Life::running;
  can_ = capabilities_of(params);
  client_models_.announced(can_);
  documents_.set_encoding(can_.encoding);
  if (auto folders = decode<std::vector<WorkspaceFolder>>(member(params, "workspaceFolders"))) {
    documents_.change_folders({}, *folders);
  } else if (const std::string root = text_member(params, "rootUri"); !root.empty()) {
    documents_.add_folder({root, ""});
  } else if (const std::string path = text_member(params, "rootPath"); !path.empty()) {
    documents_.add_folder({uri_of_path(path), ""});
  }
  Json options = member(params, "initializationOptions");
  if (const Json trusted = take_out(options, kWorkspaceTrusted); trusted.is_boolean()) {
    trust_.set_said(trusted.get<bool>());
  }
  settings_.set(Settings::Layer::initialization, options);
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
  look_at_folders();
  if (can_.watched_files) watch_files();
}

void Server::set_settings(Settings::Layer layer, const Json& given) {
  const auto model = [this] {
    std::string all;
    for (const Setting& each : all_settings()) {
      if (each.key.starts_with("model.")) all += settings_.value(each.key).dump() + "\n";
    }
    return all;
  };
  const std::string before = model();
  settings_.set(layer, given);
  if (model() != before) asks_->forget_models();  // the sessions' next asks go to the new one
  const std::string level = settings_.text("log.level");
  log_.most = level == "error"     ? MessageType::error
              : level == "warning" ? MessageType::warning
              : level == "debug"   ? MessageType::log
                                   : MessageType::information;
  if (can_.proposals && life_ == Life::running) look_up_model({});
  auto problems = settings_.problems();
  std::ranges::move(model_problems(settings_), std::back_inserter(problems));
  std::erase_if(problems, [&](const std::string& problem) {
    return told_.size() >= kMostTold || !told_.insert(problem).second;
  });
  if (problems.empty()) return;
  // What forbids everything is worth more than what is ignored.
  std::ranges::stable_partition(problems, [](const std::string& problem) {
    return problem.find("agent.permissions") != problem.npos;
  });
  for (const std::string& problem : problems) log_.add(MessageType::warning, problem);
  // One message: of several, most editors show the last alone.
  const std::string more =
      problems.size() == 1 ? "" : fmt::format(" ({} more in the log)", problems.size() - 1);
  client_.say(MessageType::warning, "bodkin: " + problems[0] + more);
}

void Server::pull_configuration() {
  client_.configuration(
      [this](const Json& given) { set_settings(Settings::Layer::configuration, given); });
}

}  // namespace bodkin::lsp

namespace bodkin {

int serve() {
  start_keepers();
  std::signal(SIGPIPE, SIG_IGN);
  // The protocol has descriptors of its own: what a library prints, or a child program reads, must
  // not get into it.
  const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
  const int output = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || output < 0 || nothing < 0) {
    std::fputs("bodkin: standard input and output must be open.\n", stderr);
    return 2;
  }
  ::dup2(nothing, 0);
  ::dup2(2, 1);
  remove_abandoned_folders();  // of an earlier one that was killed
  lsp::Server server(input, output);
  // The writer outlives the wait for the orderly end, which an editor that does not read prolongs.
  const EndingSignals signals([&server](int signal) { server.end(128 + signal); });
  return server.run();
}

}  // namespace bodkin
