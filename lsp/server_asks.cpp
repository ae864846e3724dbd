// What an ask says while it runs, how it ends, and what the editor's diagnostics say of its edit.
#include <fmt/format.h>

#include <algorithm>

#include "agent/providers.h"
#include "lsp/editor_workspace.h"
#include "lsp/extensions.h"
#include "lsp/model_settings.h"
#include "lsp/server.h"

namespace bodkin::lsp {

namespace {

// The editor and the person, for an ask's thread.
class BridgedEditor : public Editor {
 public:
  BridgedEditor(EventLoop& loop, Client& client, const Documents& documents,
                const DiagnosticsBridge& bridge)
      : loop_(loop), client_(client), documents_(documents), bridge_(bridge) {}

  Result<Diagnostics> diagnostics(std::string_view path, const Task& task) override {
    return loop_.call(task.stop, [this, path = std::string(path)] {
      const Document* document = documents_.find_path(path);
      return bridge_.current(path, document ? std::optional(document->version) : std::nullopt);
    });
  }
  Result<Decision> permit(const Permission& permission, const Task& task) override {
    return loop_.wait_for<Decision>(task.stop, [this, permission](auto give) {
      client_.permit(permission, [give](Decision decision) { give(decision); });
    });
  }

 private:
  EventLoop& loop_;
  Client& client_;
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
  // start_ask() has refused rules that cannot be read.
  limits.permissions =
      Permissions::parse(settings.value("agent.permissions")).value_or(Permissions());
  return limits;
}

std::unique_ptr<Verifier> verifier_of(const Settings& settings) {
  auto command = settings.list("verify.command");
  if (command.empty()) return nullptr;
  return std::make_unique<CommandVerifier>(
      std::move(command), std::chrono::milliseconds(settings.count("verify.commandTimeoutMs")),
      settings.text("model.apiKeyEnv"));
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
  return std::make_unique<BridgedEditor>(loop_, client_, documents_, bridge_);
}

AskHost Server::ask_host() {
  AskHost host;
  host.loop = &loop_;
  host.workspace = [this] {
    indexer_.look_again();
    return std::make_shared<EditorWorkspace>(documents_, indexer_.index());
  };
  host.editor = editor_.get();
  host.editor_models = &client_models_;
  host.model_settings = [this] { return model_settings(settings_); };
  host.limits = [this] { return limits_of(settings_); };
  host.verifier = [this] { return verifier_of(settings_); };
  host.report = [this](const std::string& id, const Progress& progress) { reported(id, progress); };
  host.ended = [this](AskEnd end) { ended(std::move(end)); };
  return host;
}

std::string model_text(const Settings& settings) {
  const std::string name = settings.text("model.name");
  return name.empty() ? settings.text("model.provider") : name;
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
  connection_.notify(kStream, {{"askId", ask_id}, {"kind", as.stream}, {"text", progress.text}});
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
                               {"message", asking     ? status_message_
                                           : checking ? "Waiting for the editor's diagnostics"
                                                      : ""},
                               {"model", model_text(settings_)},
                               {"host", settings_.text("model.endpoint")},
                               {"usage", {{"input", usage.input}, {"output", usage.output}}}});
}

Verification verification_of(const Outcome& outcome) {
  using State = Verification::State;
  if (!outcome.notes.empty()) {
    return {State::failed, static_cast<int>(outcome.notes.size()), kSyntax};
  }
  const Verdict& verdict = outcome.verdict;
  if (verdict.state == Verdict::State::failed) return {State::failed, 0, verdict.by};
  if (verdict.state == Verdict::State::passed) return {State::verified, 0, verdict.by};
  return {State::unknown, 0, outcome.syntax_checked ? kSyntax : ""};
}

void Server::ended(AskEnd end) {
  std::string refined;
  if (const auto running = running_.find(end.ask_id); running != running_.end()) {
    refined = running->second.refined;
    running_.erase(running);
  }
  show_status();
  Outcome& outcome = end.outcome;
  log_.add(MessageType::information,
           end.ask_id + " ended" + (outcome.reason.empty() ? "." : ": " + outcome.reason));
  using End = Outcome::End;
  if (outcome.end == End::cancelled) {
    return tell_end(end, "cancelled", outcome.reason.empty() ? "Cancelled." : outcome.reason, "");
  }
  if (!outcome.files.empty()) {
    Review::Made made{.title = outcome.title,
                      .ask_id = end.ask_id,
                      .replaces = refined,
                      .notes = outcome.notes,
                      .verification = verification_of(outcome)};
    const Verdict& verdict = outcome.verdict;
    if (verdict.state == Verdict::State::failed) made.notes.push_back(verdict.reason);
    if (verdict.state == Verdict::State::not_checked && !verdict.reason.empty()) {
      made.notes.push_back("not checked: " + verdict.reason);
    }
    // Nobody is asked about an edit in which nothing was found, if that was wished.
    const bool direct = settings_.text("edits.review") == "direct" && outcome.end == End::done &&
                        made.notes.empty();
    made.quiet = direct;
    const std::string id = review_.add(outcome.files, std::move(made));
    if (direct) (void)review_.apply(id, nullptr);
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
    Json params = {{"askId", end.ask_id}, {"end", how}, {"message", message}};
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
  const bool offers = can_repair && when == "offer";
  if (can_repair && !offers) judgement.message += " — the model is asked to mend it.";
  review_.set_verification(judgement.proposal_id, judgement.verification, judgement.message);
  if (!can_repair) return show_status();
  show_status();
  if (!offers) return mend(ask_id, std::move(*judgement.repair));
  client_.choose(MessageType::warning, "bodkin: " + judgement.message, {"Mend it", "Leave it"},
                 [this, ask_id, repair = std::move(*judgement.repair)](const std::string& choice) {
                   if (choice == "Mend it") mend(ask_id, repair);
                 });
}

void Server::mend(const std::string& ask_id, Ask repair) {
  const std::string title = repair.title;
  if (!asks_->repair(ask_id, std::move(repair))) return;
  ++repairs_[ask_id];
  began(ask_id, title, "");
}

}  // namespace bodkin::lsp
