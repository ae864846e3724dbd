// What an ask says while it runs, how it ends, and what the editor's diagnostics say of its edit.
#include <fmt/format.h>

#include <algorithm>

#include "agent/models/providers/providers.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/server.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

namespace {

// The editor and the person, for an ask's thread.
class BridgedEditor : public Editor {
 public:
  BridgedEditor(EventLoop& loop, Questions& questions, const Documents& documents,
                const DiagnosticsBridge& bridge)
      : loop_(loop), questions_(questions), documents_(documents), bridge_(bridge) {}

  Result<Diagnostics> diagnostics(std::string_view path, const Task& task) override {
    return loop_.call(task.stop, [this, path = std::string(path)] {
      const Document* document = documents_.find_path(path);
      return bridge_.current(path, document ? std::optional(document->version) : std::nullopt);
    });
  }
  Result<Decision> permit(const Permission& permission, const Task& task) override {
    const auto id = std::make_shared<std::string>();  // the loop's thread only
    auto decision = loop_.wait_for<Decision>(task.stop, [this, permission, id](auto give) {
      *id = questions_.ask(permission, [give](Decision decision) { give(decision); });
    });
    if (!decision) loop_.post([this, id] { questions_.withdraw(*id); });
    return decision;
  }

 private:
  EventLoop& loop_;
  Questions& questions_;
  const Documents& documents_;
  const DiagnosticsBridge& bridge_;
};

Limits limits_of(const Settings& settings) {
  Limits limits;
  limits.max_turns = settings.count("agent.maxTurns");
  limits.max_repairs = settings.count("agent.maxRepairs");
  limits.max_tokens = settings.count("agent.maxTokens");
  limits.max_cost_usd = settings.number("agent.maxCostUsd");
  limits.max_minutes = settings.number("agent.maxMinutes");
  limits.permissions = settings.permissions();
  return limits;
}

// bodkin/status and the kind of $/bodkin/stream.
struct Shown {
  const char* state;
  const char* stream;
};
Shown shown(Progress::Kind kind) {
  switch (kind) {
    case Progress::Kind::text:
      return {"thinking", "text"};
    case Progress::Kind::thought:
      return {"thinking", "thought"};
    case Progress::Kind::tool:
    case Progress::Kind::status:
      return {"thinking", "tool"};
    case Progress::Kind::editing:
      return {"editing", "tool"};
    case Progress::Kind::verifying:
      return {"verifying", "tool"};
    case Progress::Kind::waiting:
      return {"waiting", "tool"};
  }
  return {"thinking", "text"};
}

}  // namespace

std::unique_ptr<Editor> Server::make_editor() {
  return std::make_unique<BridgedEditor>(loop_, questions_, documents_, bridge_);
}

AskHost Server::ask_host() {
  AskHost host;
  host.loop = &loop_;
  host.workspace = [this] {
    indexer_.look_again();
    return std::make_shared<EditorWorkspace>(documents_, indexer_.index(), trusted_);
  };
  host.editor = editor_.get();
  host.editor_models = &client_models_;
  host.model_settings = [this] { return model_settings(settings_); };
  host.chose = [this](const ModelChoice& choice) { take_choice(choice); };
  host.limits = [this] { return limits_of(settings_); };
  host.verifier = [this] { return make_verifier(); };
  host.report = [this](const std::string& id, const Progress& progress) { reported(id, progress); };
  host.ended = [this](AskEnd end) { ended(std::move(end)); };
  host.failed = [this](const char* what) {
    loop_.post([this, what = std::string(what)] { loop_.failed(what.c_str()); });
  };
  return host;
}

void Server::began(const std::string& ask_id, const std::string& title,
                   const std::string& refined) {
  state_ = "thinking";
  status_message_ = title;
  Running& running = running_[ask_id];
  running.refined = refined;
  if (can_.progress) {
    running.bar = ProgressBar(connection_, "bodkin/" + ask_id, "bodkin: " + title);
  }
  log_.add(MessageType::information, ask_id + ": " + title);
  show_status();
}

void Server::reported(const std::string& ask_id, const Progress& progress) {
  const Shown as = shown(progress.kind);
  const bool is_delta =
      progress.kind == Progress::Kind::text || progress.kind == Progress::Kind::thought;
  connection_.notify(kStream,
                     {{"askId", ask_id}, {"kind", as.stream}, {"text", visible(progress.text)}});
  if (is_delta) return;
  log_.add(MessageType::log, ask_id + ": " + progress.text);
  state_ = as.state;
  status_message_ = progress.text;
  if (const auto running = running_.find(ask_id); running != running_.end()) {
    running->second.bar.report(progress.text);
  }
  show_status();
}

void Server::show_status() {
  if (!can_.proposals) return;
  const bool asking = !asks_->running().empty();
  const bool checking = !asking && checks_.is_waiting();
  const Usage& usage = asks_->spent().usage;
  connection_.notify(kStatus, {{"state", asking     ? state_
                                         : checking ? "verifying"
                                                    : "idle"},
                               {"message", asking     ? plain_line(status_message_)
                                           : checking ? "Waiting for the editor's diagnostics"
                                                      : ""},
                               {"model", answering_.name},
                               {"host", answering_.host},
                               {"usage", {{"input", usage.input}, {"output", usage.output}}}});
}

Verification verification_of(const Outcome& outcome) {
  using State = Verification::State;
  if (!outcome.notes.empty()) {
    return {State::failed, static_cast<int>(outcome.notes.size()), kSyntax};
  }
  const Verdict& verdict = outcome.verdict;
  if (verdict.state == Verdict::State::failed) return {State::failed, 0, verdict.by};
  if (verdict.state == Verdict::State::passed) {
    return {State::verified, 0, verdict.by + " " + verdict.where};
  }
  return {State::unknown, 0, outcome.syntax_checked ? kSyntax : ""};
}

void Server::ended(AskEnd end) {
  std::string refined, why_cancelled;
  if (const auto running = running_.find(end.ask_id); running != running_.end()) {
    refined = running->second.refined;
    why_cancelled = running->second.why_cancelled;
    running_.erase(running);
  }
  show_status();
  Outcome& outcome = end.outcome;
  if (outcome.end == Outcome::End::cancelled && !why_cancelled.empty())
    outcome.reason = why_cancelled;
  log_.add(MessageType::information,
           end.ask_id + " ended" + (outcome.reason.empty() ? "." : ": " + outcome.reason));
  if (!outcome.withheld.empty()) {
    client_.say(MessageType::information, "bodkin: " + outcome.withheld);
  }
  using End = Outcome::End;
  if (outcome.end == End::cancelled) {
    return tell_end(end, "cancelled", outcome.reason.empty() ? "Cancelled." : outcome.reason, "");
  }
  if (!outcome.files.empty()) {
    Review::Made made{.title = outcome.title,
                      .ask_id = end.ask_id,
                      .replaces = refined,
                      .notes = outcome.notes,
                      .verification = verification_of(outcome),
                      .roots = std::move(end.roots)};
    std::ranges::copy(outcome.cautions, std::back_inserter(made.notes));
    const Verdict& verdict = outcome.verdict;
    if (verdict.state == Verdict::State::failed) made.notes.push_back(verdict.reason);
    if (verdict.state == Verdict::State::not_checked && !verdict.reason.empty()) {
      made.notes.push_back("not checked: " + verdict.reason);
    }
    // Nobody is asked about an edit in which nothing was found, if that was wished.
    bool direct = outcome.end == End::done && made.notes.empty() && may_apply_at_once();
    if (direct && !outcome.unfit_for_direct.empty()) {
      direct = false;
      made.notes = outcome.unfit_for_direct;
    }
    made.quiet = direct;
    const std::string id = review_.add(outcome.files, std::move(made));
    if (direct) {
      if (const auto applied = review_.apply(id, nullptr); !applied) {
        client_.say(MessageType::warning, "bodkin: Not applied: " + applied.error().message);
      }
    }
    if (review_.find(id)->hunk_count() > 0) {
      return tell_end(end, outcome.end == End::limit ? "limit" : "proposal",
                      outcome.end == End::done ? outcome.answer : outcome.reason, id);
    }
  }
  if (outcome.end == End::done) return tell_end(end, "answer", outcome.answer, "");
  tell_end(end, outcome.end == End::limit ? "limit" : "failed", outcome.reason, "");
}

void Server::tell_end(const AskEnd& end, const char* how, const std::string& message,
                      const std::string& proposal_id) {
  if (can_.proposals) {
    Json params = {{"askId", end.ask_id}, {"end", how}, {"message", visible(message)}};
    if (!proposal_id.empty()) params["proposalId"] = proposal_id;
    if (end.outcome.reason == kNoModel) params["reason"] = "no_model";
    connection_.notify(kDidEndAsk, std::move(params));
    return;
  }
  const bool is_bad =
      end.outcome.end == Outcome::End::failed || end.outcome.end == Outcome::End::limit;
  if (message.empty() || (!proposal_id.empty() && !is_bad)) return;
  client_.say(is_bad ? MessageType::error : MessageType::information, "bodkin: " + message);
}

void Server::judged(Judgement judgement) {
  const Proposal* proposal = review_.find(judgement.proposal_id);
  if (!proposal) return;
  const std::string ask_id = proposal->ask_id;
  const std::string when = settings_.text("agent.repair");
  const bool can_repair = judgement.repair && !ask_id.empty() && when != "off" &&
                          repairs_[ask_id] < settings_.count("agent.maxRepairs");
  if (can_repair && when != "offer" && mend(ask_id, *judgement.repair)) {
    judgement.message += " — asking the model to repair it.";
  }
  review_.set_verification(judgement.proposal_id, judgement.verification, judgement.message);
  show_status();
  if (!can_repair || when != "offer") return;
  const std::string title = judgement.repair->title;
  offers_[judgement.proposal_id] = questions_.ask(
      {"mend", judgement.proposal_id, title, judgement.message},
      [this, id = judgement.proposal_id, ask_id,
       repair = std::move(*judgement.repair)](Decision decision) {
        offers_.erase(id);
        if (decision == Decision::reject || mend(ask_id, repair)) return;
        client_.say(MessageType::warning,
                    "bodkin: The model was not asked to repair it: it is busy with another ask.");
      },
      /*for_session=*/false);
}

// False: the session is busy, or gone.
bool Server::mend(const std::string& ask_id, Ask repair) {
  const std::string title = repair.title;
  if (!asks_->repair(ask_id, std::move(repair))) return false;
  std::erase_if(repairs_, [&](const auto& each) { return asks_->session_of(each.first).empty(); });
  ++repairs_[ask_id];
  began(ask_id, title, "");
  return true;
}

}  // namespace bodkin::lsp
