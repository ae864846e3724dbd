#include "lsp/acp/server.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"
#include "lsp/acp/session_replay.h"
#include "lsp/server/ending_signals.h"
#include "lsp/server/standard_streams.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::acp {

namespace {

constexpr size_t kPage = 50;          // sessions in a list
constexpr size_t kMaxListed = 5'000;  // of all pages
constexpr size_t kMaxSessions = 100;  // open at once

// The protocol's own codes.
constexpr auto kNotFound = static_cast<rpc::ErrorCode>(-32002);

void refuse(rpc::Reply& reply, const Error& error) {
  if (error.code == Error::Code::not_found) return reply.error(kNotFound, error.message);
  reply.error(error);
}

}  // namespace

Server::Server(int input, int output)
    : writer_(output, kAcp.framing),
      connection_(
          [this](const Json& message) {
            writer_.send(text_of_json(message));
            // Files being written are still finished, and recorded.
            if (writer_.has_given_up() && !std::exchange(has_given_up_, true))
              loop_.post_reliably([this] { finish(1); });
          },
          kAcp),
      history_(history_path(), [](const std::string& why) {
        put(stderr, "bodkin acp: " + plain_line(why) + "\n");
      }) {
  loop_.failed = [](const char* what) {
    put(stderr, std::string("bodkin acp: Internal error: ") + what + "\n");
  };
  serve_lifecycle();
  serve_sessions();
  serve_turns();
  reader_ = std::make_unique<rpc::Reader>(
      input, [this](std::optional<rpc::Frame> frame) { received(std::move(frame)); }, kAcp.framing);
}

Server::~Server() {
  reader_.reset();
  for (const auto& [id, session] : sessions_) session->stop();
  work_.stop();
}

int Server::run() {
  const int code = loop_.run();
  if (writer_.has_given_up())
    put(stderr, "bodkin acp: The editor has stopped reading; shutting down.\n");
  return code;
}

void Server::end(int code) {
  loop_.post_reliably([this, code] { finish(code); });
}

// Requests right before the end of the input are still answered, except turns.
void Server::finish_when_answered() {
  constexpr std::chrono::milliseconds kLastAnswers{500}, kAgain{10};
  if (!ends_at_) ends_at_ = std::chrono::steady_clock::now() + kLastAnswers;
  const bool is_in_turn =
      std::ranges::any_of(sessions_, [](const auto& each) { return each.second->is_busy(); });
  const bool is_late = std::chrono::steady_clock::now() >= *ends_at_;
  if (is_in_turn || is_late || !connection_.has_pending()) return finish(0);
  loop_.post_after(kAgain, [this] { finish_when_answered(); });
}

// Ending the server takes nothing back: a write under way must be recorded, or it could not be
// undone.
void Server::finish(int code) {
  reader_.reset();
  while (!sessions_.empty()) close(sessions_.begin()->first);
  end_when_written(code);
}

void Server::end_when_written(int code) {
  constexpr std::chrono::milliseconds kAgain{10};
  std::erase_if(closed_, [](const auto& session) { return !session->is_busy(); });
  if (closed_.empty()) return loop_.stop(code);
  loop_.post_after(kAgain, [this, code] { end_when_written(code); });
}

// On the reader's thread.
void Server::received(std::optional<rpc::Frame> frame) {
  if (!frame) return loop_.post_reliably([this] { finish_when_answered(); });
  loop_.post([this, frame = std::move(frame)] {
    if (frame->problem.empty()) return connection_.receive(frame->body);
    rpc::Reply(nullptr, [this](const Json& message) {
      writer_.send(message.dump());
    }).error(rpc::ErrorCode::parse_error, frame->problem);
  });
}

void Server::serve_lifecycle() {
  connection_.admit = [this](std::string_view method,
                             bool) -> std::expected<void, std::pair<rpc::ErrorCode, std::string>> {
    if (is_initialized_ || method == "initialize") return {};
    return std::unexpected(std::pair(rpc::ErrorCode::invalid_request,
                                     std::string("The first request must be initialize.")));
  };
  connection_.on_request("initialize", [this](const Json& params, rpc::Reply reply) {
    if (!member(params, "protocolVersion").is_number_integer())
      return reply.error(rpc::ErrorCode::invalid_params, "protocolVersion must be an integer.");
    if (!is_initialized_) {
      client_.can = abilities_of(params);
      history_.set_limits(lsp::history_limits(lsp::own_settings()));
    }
    is_initialized_ = true;
    reply.result(initialize_result());
  });
}

void Server::on_session_request(const char* method,
                                std::function<void(Session&, const Json& params, rpc::Reply)> run) {
  connection_.on_request(method,
                         [this, run = std::move(run)](const Json& params, rpc::Reply reply) {
                           const auto found = sessions_.find(text_member(params, "sessionId"));
                           if (found == sessions_.end())
                             return reply.error(kNotFound, "No such session.");
                           const auto held = found->second;
                           run(*held, params, std::move(reply));
                         });
}

Result<std::shared_ptr<Session>> Server::make_session(const Json& params) {
  const std::string cwd = os::inner_form(text_member(params, "cwd"));
  if (!os::is_absolute(cwd))
    return fail(Error::Code::invalid_input, "cwd must be an absolute path.");
  if (cwd.find('\0') != cwd.npos)
    return fail(Error::Code::invalid_input, "cwd must not contain zero bytes.");
  if (sessions_.size() >= kMaxSessions)
    return fail(Error::Code::unavailable, "Too many sessions are open; close some.");
  auto folder = ConfinedFolder::open(cwd);
  if (!folder) return fail(Error::Code::invalid_input, folder.error().message);
  if (folder->path() == os::root_of(folder->path()))
    return fail(
        Error::Code::invalid_input,
        folder->path() + " contains the files of all programs and users; open a project's folder.");
  const auto session = std::make_shared<Session>(host(), *std::move(folder), ++made_);
  session->set_mcp_servers(member(params, "mcpServers"));
  return session;
}

void Server::serve_sessions() {
  connection_.on_request("session/new", [this](const Json& params, rpc::Reply reply) {
    open(params, std::move(reply));
  });
  connection_.on_request("session/load", [this](const Json& params, rpc::Reply reply) {
    resume(params, std::move(reply), true);
  });
  connection_.on_request("session/resume", [this](const Json& params, rpc::Reply reply) {
    resume(params, std::move(reply), false);
  });
  connection_.on_request("session/list", [this](const Json& params, rpc::Reply reply) {
    list(params, std::move(reply));
  });
  on_session_request("session/close", [this](Session& session, const Json&, rpc::Reply reply) {
    close(session.id());
    reply.result(Json::object());
  });
}

void Server::serve_turns() {
  on_session_request("session/prompt", [](Session& session, const Json& params, rpc::Reply reply) {
    session.prompt(member(params, "prompt"), std::move(reply));
  });
  connection_.on_notification("session/cancel", [this](const Json& params) {
    const auto found = sessions_.find(text_member(params, "sessionId"));
    if (found != sessions_.end()) found->second->cancel();
  });
  on_session_request(
      "session/set_mode", [this](Session& session, const Json& params, rpc::Reply reply) {
        if (const auto set = session.set_mode(text_member(params, "modeId")); !set)
          return reply.error(set.error());
        reply.result(Json::object());
        client_.update(session.id(), {{"sessionUpdate", "config_option_update"},
                                      {"configOptions", session.options()["configOptions"]}});
      });
  on_session_request(
      "session/set_config_option", [this](Session& session, const Json& params, rpc::Reply reply) {
        const std::string id = text_member(params, "configId");
        if (const auto set = session.set_option(id, member(params, "value")); !set)
          return reply.error(set.error());
        const Json options = session.options();
        reply.result({{"configOptions", options["configOptions"]}});
        if (id == "mode")
          client_.update(session.id(), {{"sessionUpdate", "current_mode_update"},
                                        {"currentModeId", options["modes"]["currentModeId"]}});
      });
}

void Server::open(const Json& params, rpc::Reply reply) {
  auto session = make_session(params);
  if (!session) return reply.error(session.error());
  sessions_[(*session)->id()] = *session;
  (*session)->look_up_models(
      [session = *session, held = std::make_shared<rpc::Reply>(std::move(reply))] {
        Json result = session->options();
        result["sessionId"] = session->id();
        held->result(std::move(result));
        session->announce();
      });
}

void Server::resume(const Json& params, rpc::Reply reply, bool replays) {
  using Found = Result<std::pair<LoadedSession, ShownSession>>;
  const std::string id = text_member(params, "sessionId");
  const auto held = std::make_shared<rpc::Reply>(std::move(reply));
  history_.read(
      loop_,
      [id](HistoryStore& store) -> Found {
        auto loaded = store.load_session(id);
        auto shown = store.show_session(id);
        if (!loaded || !shown) return std::unexpected(loaded ? shown.error() : loaded.error());
        return std::pair(*std::move(loaded), *std::move(shown));
      },
      [this, params, replays, held](Found found) {
        if (!found) return refuse(*held, found.error());
        adopt(params, std::move(found->first), found->second, replays, held);
      });
}

void Server::adopt(const Json& params, LoadedSession loaded, const ShownSession& shown,
                   bool replays, const std::shared_ptr<rpc::Reply>& reply) {
  const auto open = sessions_.find(loaded.id);
  if (open != sessions_.end() && open->second->is_busy())
    return reply->error(rpc::ErrorCode::invalid_request,
                        "This session already has a turn running.");
  auto session = make_session(params);
  if (!session) return reply->error(session.error());
  const std::string workspace = (*session)->folder().roots().key();
  if (is_gone(loaded.workspace))  // it was moved to where the editor says
    history_.write(workspace.size(), [id = loaded.id, workspace](HistoryStore& store) {
      store.move_session(id, workspace);
    });
  else if (!share_folder(loaded.workspace, workspace))
    return reply->error(rpc::ErrorCode::invalid_params,
                        "The session belongs to another folder: " +
                            shown_name(loaded.workspace.substr(0, loaded.workspace.find('\n'))));
  if (open != sessions_.end()) close(open->first);
  (*session)->adopt(std::move(loaded), shown.asks);
  sessions_[(*session)->id()] = *session;
  if (replays) replay(client_, (*session)->id(), (*session)->folder().given_roots(), shown);
  (*session)->look_up_models([session = *session, reply] {
    reply->result(session->options());
    session->announce();
  });
}

void Server::list(const Json& params, rpc::Reply reply) {
  const std::string cwd = text_member(params, "cwd"), cursor = text_member(params, "cursor");
  const auto place = cursor.empty() ? 0 : whole_number(cursor);
  if (!place) return reply.error(rpc::ErrorCode::invalid_params, "Invalid cursor.");
  std::string key = cwd, given = cwd;
  if (const auto folder = ConfinedFolder::open(cwd.empty() ? "/" : cwd); folder && !cwd.empty()) {
    key = folder->path();
    given = folder->given();
  }
  const auto held = std::make_shared<rpc::Reply>(std::move(reply));
  history_.read(
      loop_,
      [key, given, from = *place](HistoryStore& store) -> Result<Json> {
        const auto rows = store.sessions(key.empty() ? nullptr : &key, kMaxListed);
        Json result = {{"sessions", Json::array()}};
        for (size_t i = from; i < rows.size() && i < from + kPage; ++i)
          result["sessions"].push_back(json_of(rows[i], given));
        if (rows.size() > kPage && from < rows.size() - kPage)
          result["nextCursor"] = std::to_string(from + kPage);
        return result;
      },
      [held](const Result<Json>& result) {
        held->result(result.value_or(Json{{"sessions", Json::array()}}));
      });
}

void Server::close(const std::string& id) {
  auto session = sessions_.extract(id);
  if (!session) return;
  session.mapped()->stop();
  std::erase_if(closed_, [](const auto& each) { return !each->is_busy(); });
  if (session.mapped()->is_busy()) closed_.push_back(std::move(session.mapped()));
}

int serve() {
  if (os::is_terminal(0))
    put(stderr, "bodkin acp: waiting for an editor; bodkin acp --help says how to set one up\n");
  const auto streams = take_standard_streams();
  if (!streams) return 2;
  remove_abandoned_folders();  // of an earlier one that was killed
  Server server(streams->input, streams->output);
  const EndingSignals signals([&server](int signal) { server.end(128 + signal); });
  return server.run();
}

}  // namespace bodkin::acp
