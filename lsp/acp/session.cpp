#include "lsp/acp/session.h"

#include <fmt/format.h>

#include <utility>

#include "agent/context/prompt.h"
#include "agent/context/symbols.h"
#include "agent/support/shown_text.h"
#include "lsp/folder/ask_history.h"
#include "lsp/sessions/proposal_news.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin::acp {

// Permissions are asked for in the editor; nobody reports problems.
class Session::AskEditor : public Editor {
 public:
  explicit AskEditor(Session& session) : session_(session) {}

  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics(); }

  Result<Decision> permit(const Permission& permission, const Task& task) override {
    auto answer = session_.host_.loop.wait_for<Result<Decision>>(
        task.stop, [weak = session_.weak_from_this(), permission](const auto& give) {
          if (const auto session = weak.lock()) session->permit(permission, give);
        });
    return answer ? *std::move(answer) : std::unexpected(answer.error());
  }

 private:
  Session& session_;
};

Session::Session(const Host& host, ConfinedFolder folder, uint64_t number)
    : host_(host),
      folder_(std::move(folder),
              [&loop = host.loop, &client = host.client, this](const std::string& words) {
                loop.post([&client, words, id = id_] {
                  client.update(id, message_chunk("agent_message_chunk", words + "\n\n", "notice"));
                });
              }),
      editor_(std::make_unique<AskEditor>(*this)) {
  if (folder_.rules().mode() == Mode::human) folder_.rules().set_mode(Mode::confirm);
  options_.mode = folder_.rules().mode();
  options_.effort = folder_.settings().text("model.effort");
  for (const std::string& problem : problems_of(folder_.settings()))
    notes_.push_back("Settings: " + problem);
  asks_ = std::make_unique<Asks>(
      host_.loop, static_cast<AskDoor&>(*this),
      AskCommons{&host_.history, editor_.get(), nullptr, lsp::own_profiles_folder()},
      fmt::format("{}-{}", number, run_id()));
  id_ = asks_->new_session();
}

Session::~Session() = default;

// This is not the session's number: another object, or process, may go on with that.
std::string Session::new_number() {
  static uint64_t last = 0;
  return fmt::format("{}-{}", ++last, run_id());
}

// The news of a turn without a model.
std::string Session::news_of_own(const ProposalRow& row) {
  if (row.state != "applied" && row.state != "partly" && row.state != "undone in part") return "";
  return "The user has applied edits from another reply: " + words_for(row.files) + ".";
}

std::shared_ptr<Workspace> Session::workspace() {
  folder_.start_index();
  return client_workspace();
}

AskSetup Session::set_up() { return folder_.set_up(editor_.get()); }

void Session::report(const std::string& ask_id, const Progress& progress) {
  if (turn_ && turn_->ask_id == ask_id) turn_->updates->report(progress);
}

void Session::titled(const std::string&, const std::string& title) {
  host_.client.update(id_,
                      {{"sessionUpdate", "session_info_update"}, {"title", plain_line(title)}});
}

void Session::adopt(LoadedSession loaded, const std::vector<ShownAsk>& asks) {
  id_ = loaded.id;
  // The next ask of that session has already told what became of earlier edits.
  size_t first = asks.size();
  while (first > 0 && asks[--first].start.id.starts_with(kOwnTurn)) {
  }
  for (; first < asks.size(); ++first) {
    const bool is_own = asks[first].start.id.starts_with(kOwnTurn);
    for (const ProposalRow& row : asks[first].proposals)
      add_news(is_own ? news_of_own(row) : news_of(row));
  }
  has_title_ = true;
  // It goes on in its own mode, not that of the settings.
  if (const auto mode = mode_to_choose(loaded.mode)) {
    folder_.rules().set_mode(*mode);
    options_.mode = *mode;
  }
  options_.model = loaded.model;
  asks_->adopt(std::move(loaded));
}

void Session::prompt(const Json& blocks, rpc::Reply reply) {
  if (!turn_) return start(blocks, std::move(reply));
  if (next_) next_->second.result({{"stopReason", "cancelled"}});
  next_.emplace(blocks, std::move(reply));
  cancel_turn();
}

void Session::start(const Json& blocks, rpc::Reply reply) {
  auto prompt = read_prompt(blocks, *folder_.workspace(), folder_.given_roots());
  if (!prompt) return reply.error(prompt.error());
  const auto updates = std::make_shared<TurnUpdates>(host_.client, id_, folder_.given_roots(),
                                                     fmt::format("{}-{}", ++turns_, run_id()));
  const std::stop_token cancels = reply.stop();
  turn_ = std::make_shared<Turn>(std::move(reply), updates);
  turn_->images = std::move(prompt->images);
  turn_->unsaved = std::move(prompt->unsaved);
  turn_->on_cancel_request = std::make_unique<std::stop_callback<std::function<void()>>>(
      cancels, [post = poster()] { post([](Session& session) { session.cancel_turn(); }); });
  for (const std::string& note : std::exchange(notes_, {})) say(note);
  for (const std::string& note : prompt->notes) say(note);
  AskRequest& request = prompt->request;
  if (run_command(request, prompt->typed)) return;
  folder_.rules().complete(request);
  take_slash_command_without_reports(request, lsp::own_prompts_folder());
  auto ask = make_ask(std::move(request), lsp::own_profiles_folder());
  const std::string title = ask ? title_of(*ask) : "";
  if (ask) turn_->news = ask->news = std::exchange(news_, "");
  auto started = ask ? asks_->start(*std::move(ask), id_) : std::unexpected(ask.error());
  if (!started) {
    news_ = turn_->news;
    return end_with(started.error().message);
  }
  turn_->ask_id = started->ask_id;
  Json info = {{"sessionUpdate", "session_info_update"}, {"updatedAt", utc_time(history_time())}};
  if (!std::exchange(has_title_, true)) info["title"] = plain_line(title);
  host_.client.update(id_, std::move(info));
}

std::function<void(std::function<void(Session&)>)> Session::poster() {
  return [&loop = host_.loop, weak = weak_from_this(),
          turn = std::weak_ptr(turn_)](std::function<void(Session&)> run) {
    loop.post([weak, turn, run = std::move(run)] {
      const auto session = weak.lock();
      if (session && session->turn_ && session->turn_ == turn.lock()) run(*session);
    });
  };
}

void Session::cancel() {
  if (auto next = std::exchange(next_, std::nullopt))
    next->second.result({{"stopReason", "cancelled"}});
  cancel_turn();
}

void Session::cancel_turn() {
  if (!turn_) return;
  turn_->cancelled = true;
  turn_->stop.request_stop();
  if (turn_->question != 0) host_.client.cancel(std::exchange(turn_->question, 0));
  if (const auto review = turn_->review) return review->cancel();
  if (!turn_->ask_id.empty() && asks_->cancel(turn_->ask_id) > 0) return;
  end_turn("cancelled");  // a command of bodkin's own
}

void Session::stop() {
  const auto keeps = shared_from_this();
  cancel();
  asks_->stop();
  if (turn_ && !turn_->review) end_turn("cancelled");  // its ask says no more
}

void Session::permit(const Permission& permission,
                     const std::function<void(Result<Decision>)>& give) {
  if (!turn_ || turn_->cancelled) return give(fail(Error::Code::cancelled, "Cancelled."));
  // Edits that wait for the user anyway need no second question.
  if (permission.kind == "edit" && (turn_->edits_wait || !applies_edits())) {
    turn_->edits_wait = true;
    return give(Decision(Decision::once));
  }
  const bool is_limit = permission.kind == "limit";
  Json options = Json::array({option("once", is_limit ? "Go on" : "Allow", "allow_once")});
  const bool offers_session = !is_limit && permission.longest >= Decision::session;
  if (offers_session)
    options.push_back(option("session", "Allow for this session", "allow_always"));
  options.push_back(option("reject", is_limit ? "Stop here" : "Reject", "reject_once"));
  const char* kind = permission.kind == "run"    ? "execute"
                     : permission.kind == "read" ? "read"
                     : permission.kind == "edit" ? "edit"
                                                 : "other";
  Json call = {{"toolCallId", turn_->updates->call_to_permit(permission.title, kind)},
               {"title", title_text(permission.title)},
               {"kind", kind},
               {"status", "in_progress"}};
  // In a fence: Markdown would hide parts of a command.
  if (!permission.detail.empty())
    call["content"] = Json::array(
        {text_content(fenced(permission.detail, permission.kind == "edit" ? "diff" : ""))});
  const auto take = [give, offers_session, weak = weak_from_this()](const Result<Json>& answer) {
    const auto session = weak.lock();
    if (session && session->turn_) session->turn_->question = 0;
    if (!answer) {
      if (answer.error().code == Error::Code::cancelled)
        return give(std::unexpected(answer.error()));
      return give(Decision(Decision::reject, "No answer: the editor did not ask the user."));
    }
    const Json& outcome = member(*answer, "outcome");
    const std::string how = text_member(outcome, "outcome"), id = text_member(outcome, "optionId");
    if (how == "cancelled") {
      give(fail(Error::Code::cancelled, "Cancelled."));
      if (session) session->cancel_turn();
      return;
    }
    if (how == "selected" && id == "once") return give(Decision(Decision::once));
    if (how == "selected" && id == "session" && offers_session)
      return give(Decision(Decision::session));
    give(Decision(Decision::reject, "None was given."));
  };
  turn_->question = host_.client.request(
      "session/request_permission",
      {{"sessionId", id_}, {"toolCall", std::move(call)}, {"options", std::move(options)}},
      Client::kUserDeadline, take);
}

void Session::ended(AskEnd end) {
  if (!turn_ || turn_->ask_id != end.ask_id) return;
  Outcome& outcome = end.outcome;
  const bool was_cancelled = outcome.end == Outcome::End::cancelled;
  if (!chosen_model_.empty()) keep_choices("", chosen_model_);  // by now it is in the history
  // A request without an answer is not part of the conversation.
  if (outcome.end != Outcome::End::done && outcome.turns <= 1) news_ = turn_->news;
  turn_->updates->end(was_cancelled ? "Cancelled." : "Not finished.");
  report_usage(end);
  if (was_cancelled) {
    if (!turn_->cancelled && !outcome.reason.empty()) say(outcome.reason);
    return end_turn(turn_->cancelled ? "cancelled" : "end_turn");
  }
  if (!outcome.withheld.empty()) say(outcome.withheld);
  turn_->updates->flush_text(outcome.answer);
  if (outcome.end != Outcome::End::done) say(outcome.reason);
  const bool is_limit = outcome.end == Outcome::End::limit;
  const char* stop_reason = !is_limit                                     ? "end_turn"
                            : outcome.met_limit == MetLimit::Which::turns ? "max_turn_requests"
                                                                          : "max_tokens";
  if (outcome.files.empty()) return end_turn(stop_reason);
  const bool asks = !needs_no_question(outcome);
  if (folder_.rules().mode() == Mode::automatic && !folder_.is_trusted())
    outcome.notes.push_back("edits wait: this folder is not trusted");
  review(outcome, asks, [this, outcome, stop_reason](const Review::End& reviewed) {
    keep(outcome, reviewed);
    when_kept(reviewed, [reviewed, stop_reason](Session& session) {
      session.end_reviewed(reviewed, stop_reason);
    });
  });
}

// True as far as the user has said so; in a folder that is not trusted, all edits wait.
bool Session::applies_edits() const {
  return folder_.is_trusted() && (takes_edits_ || folder_.rules().applies_at_once());
}

// An edit with a caution always waits for the user.
bool Session::needs_no_question(const Outcome& outcome) const {
  return outcome.end == Outcome::End::done && applies_edits() && !turn_->edits_wait &&
         objections_of(outcome).empty();
}

void Session::review(Outcome outcome, bool asks, Review::Ended then) {
  const Review::Host host{host_.loop,     host_.client,     host_.work, folder_,
                          turn_->unsaved, turn_->workspace, id_,        shared_from_this()};
  const auto review = std::make_shared<Review>(host, turn_->updates, std::move(outcome));
  turn_->review = review;
  review->begin(asks, std::move(then));
}

void Session::end_reviewed(const Review::End& end, const char* stop_reason) {
  takes_edits_ = takes_edits_ || end.for_session;
  add_news(end.news);
  const bool was_cancelled = end.how == Review::End::How::cancelled;
  if (!was_cancelled && !end.words.empty()) say(end.words);
  end_turn(was_cancelled || turn_->cancelled ? "cancelled" : stop_reason);
}

void Session::add_news(const std::string& news) {
  if (!news_.empty() && !news.empty()) news_ += '\n';
  news_ += news;
}

void Session::keep(const Outcome& outcome, const Review::End& end) {
  std::vector<ChangedFile> files = end.files;
  files.insert(files.end(), end.unclear.begin(), end.unclear.end());
  const bool is_written = !files.empty();
  Proposal proposal =
      kept_proposal(outcome, is_written ? files : outcome.files, folder_.folder(), is_written);
  if (proposal.files.empty()) return;
  if (!end.unclear.empty()) proposal.state = Proposal::State::unknown;
  proposal.id = "p" + new_number();
  proposal.ask_id = turn_->ask_id;
  keep_proposal(host_.history, std::move(proposal), id_, folder_.roots().key(), is_written);
}

// The turn ends when its edits can be undone even if this process is killed.
void Session::when_kept(const Review::End& end, const std::function<void(Session&)>& then) {
  if ((end.files.empty() && end.unclear.empty()) || !host_.history.is_kept()) return then(*this);
  host_.history.read(
      [post = poster(), then](HistoryStore&) { post(then); },
      [post = poster(), then](const Error& error) {
        post([error, then](Session& session) {
          session.say("It may be impossible to undo this change later: " + error.message);
          then(session);
        });
      });
}

void Session::report_usage(const AskEnd& end) {
  if (end.context <= 0 || end.window <= 0) return;
  Json update = {{"sessionUpdate", "usage_update"}, {"used", end.context}, {"size", end.window}};
  const auto& cost = end.spent.cost_usd;
  if (cost && *cost > 0) update["cost"] = {{"amount", *cost}, {"currency", "USD"}};
  host_.client.update(id_, std::move(update));
}

void Session::end_turn(const char* stop_reason) {
  const auto turn = std::exchange(turn_, nullptr);
  turn->reply.result({{"stopReason", stop_reason}});
  if (!next_) return;
  auto [blocks, reply] = *std::exchange(next_, std::nullopt);
  start(blocks, std::move(reply));
}

}  // namespace bodkin::acp
