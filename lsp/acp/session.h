// Session: one conversation in one folder, as the editor sees it: its turns, its options, and the
// asks that carry them out. Main thread only, except for its Editor.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/acp/content_blocks.h"
#include "lsp/acp/review.h"
#include "lsp/sessions/asks.h"

namespace bodkin::acp {

// The choices that the user has in the editor for a session.
struct SessionOptions {
  Mode mode = Mode::confirm;
  std::string effort = "auto";  // of model.effort
  std::string model;            // "provider/name"
  struct Model {
    std::string id, name, description;
  };
  std::vector<Model> models;  // to choose from, with the current one
};
// A mode that can be chosen here: one of agent.mode, except "human".
std::optional<Mode> mode_to_choose(std::string_view id);

class Session : public std::enable_shared_from_this<Session>, private AskDoor {
 public:
  // All outlive this.
  struct Host {
    rpc::EventLoop& loop;
    Client& client;
    History& history;
    BackgroundWork& work;
  };
  // `folder` may be opened. `number`: differs from that of other sessions.
  Session(const Host& host, ConfinedFolder folder, uint64_t number);
  ~Session() override;

  // The editor's MCP servers, as the protocol names them. Unusable ones are reported in the first
  // turn.
  void set_mcp_servers(const Json& servers);
  // Continues a loaded session instead of a new one. `asks`: the same session's.
  void adopt(LoadedSession loaded, const std::vector<ShownAsk>& asks);
  // Looks up which models there are, and then runs `then` on the loop.
  void look_up_models(std::function<void()> then);

  const std::string& id() const { return id_; }
  const AskFolder& folder() const { return folder_; }
  Json options() const;  // {"modes", "configOptions"}
  void announce();       // what the editor is told after the session is opened
  bool is_busy() const { return turn_ != nullptr; }

  // A running turn is cancelled first.
  void prompt(const Json& blocks, rpc::Reply reply);
  void cancel();  // and the prompt that waits for the turn's end
  void stop();    // and joins; for the end of the session. What is being written is written
  // Errors, for the client: invalid_input (it does not exist).
  Result<void> set_mode(const std::string& id);
  Result<void> set_option(const std::string& id, const Json& value);

 private:
  class AskEditor;
  struct Turn {
    Turn(rpc::Reply reply, std::shared_ptr<TurnUpdates> updates)
        : reply(std::move(reply)), updates(std::move(updates)) {}
    rpc::Reply reply;
    std::shared_ptr<TurnUpdates> updates;
    std::shared_ptr<TemporaryFolder> images;
    AttachedTexts unsaved;
    std::shared_ptr<const ClientWorkspace> workspace;  // of its ask
    std::string ask_id;
    std::string news;  // that its ask begins with
    std::shared_ptr<Review> review;
    uint64_t question = 0;  // an open permission; 0: none
    bool cancelled = false;
    bool edits_wait = false;  // for the user, as a proposal: so none of them was asked about alone
    std::stop_source stop;    // of what runs in the background
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_cancel_request;
  };

  // The editor's part in asks.
  std::shared_ptr<Workspace> workspace() override;
  AskSetup set_up() override;
  void report(const std::string& ask_id, const Progress& progress) override;
  void ended(AskEnd end) override;
  void titled(const std::string& session_id, const std::string& title) override;
  std::shared_ptr<ClientWorkspace> client_workspace() {
    auto workspace = std::make_shared<ClientWorkspace>(folder_, host_.client, id_);
    if (turn_) turn_->workspace = workspace;
    return workspace;
  }
  void cancel_turn();
  void start(const Json& blocks, rpc::Reply reply);
  // Runs a command of bodkin's own, for which no model is asked; false if it is not one.
  bool run_command(AskRequest& request, const std::string& typed);
  void apply_reply(const std::string& reply);
  void show_context(AskRequest request);
  void undo(std::set<std::string> passed);
  void undo_edit(const ProposalRow& row, std::set<std::string> passed);
  static constexpr std::string_view kOwnTurn = "own-";  // how its id begins
  static std::string new_number();                      // of a proposal or a turn in the history
  static std::string news_of_own(const ProposalRow& row);
  void keep_own_turn(const std::string& title, const std::string& prompt,
                     const std::string& answer);
  bool applies_edits() const;  // without a question
  bool needs_no_question(const Outcome& outcome) const;
  void review(Outcome outcome, bool asks, Review::Ended then);
  void add_news(const std::string& news);
  void end_reviewed(const Review::End& end, const char* stop_reason);
  void keep(const Outcome& outcome, const Review::End& end);
  void when_kept(const Review::End& end, const std::function<void(Session&)>& then);
  void keep_choices(const std::string& mode, const std::string& model);
  void report_usage(const AskEnd& end);
  void end_turn(const char* stop_reason);
  void say(std::string_view words) { turn_->updates->say(words); }
  void end_with(std::string_view words) {
    say(words);
    end_turn("end_turn");
  }
  void permit(const Permission& permission, const std::function<void(Result<Decision>)>& give);
  // Posts it to the loop, from any thread; it does not run if the turn has ended by then.
  std::function<void(std::function<void(Session&)>)> poster();

  const Host host_;
  AskFolder folder_;
  std::unique_ptr<AskEditor> editor_;
  std::string id_;
  SessionOptions options_;
  std::shared_ptr<Turn> turn_;                       // null: none runs
  std::optional<std::pair<Json, rpc::Reply>> next_;  // a prompt that waits for the turn's end
  uint64_t turns_ = 0;
  std::string chosen_model_;  // in this session; empty: none
  bool takes_edits_ = false;  // the user said so for this session
  bool has_title_ = false;
  std::string news_;                // for the model, with the next ask: what became of its edits
  std::vector<std::string> notes_;  // for the user, in the next turn
  std::unique_ptr<Asks> asks_;
};

}  // namespace bodkin::acp
