// What an ask says while it runs, how it ends, and what the editor's diagnostics say of its edit.
#include <fmt/format.h>

#include <algorithm>

#include "agent/providers.h"
#include "lsp/editor_workspace.h"
#include "lsp/extensions.h"
#include "lsp/server.h"

namespace bodkin::lsp {

namespace {

// The editor's problems, for an ask's thread.
class BridgedEditor : public Editor {
 public:
  BridgedEditor(EventLoop& loop, const Documents& documents, const DiagnosticsBridge& bridge)
      : loop_(loop), documents_(documents), bridge_(bridge) {}

  Result<Diagnostics> diagnostics(std::string_view path, const Task& task) override {
    return loop_.call(task.stop, [this, path = std::string(path)] {
      const Document* document = documents_.find_path(path);
      return bridge_.current(path, document ? std::optional(document->version) : std::nullopt);
    });
  }

 private:
  EventLoop& loop_;
  const Documents& documents_;
  const DiagnosticsBridge& bridge_;
};

ModelSettings model_settings(const Settings& settings) {
  ModelSettings result;
  result.provider = settings.text("model.provider", "auto");
  result.name = settings.text("model.name");
  result.endpoint = settings.text("model.endpoint");
  result.api_key_env = settings.text("model.apiKeyEnv");
  return result;
}

const char* stream_kind(Progress::Kind kind) {
  switch (kind) {
    case Progress::Kind::text:
      return "text";
    case Progress::Kind::thought:
      return "thought";
    case Progress::Kind::tool:
      return "tool";
    case Progress::Kind::status:
      return "tool";
  }
  return "text";
}

}  // namespace

std::unique_ptr<Editor> Server::make_editor() {
  return std::make_unique<BridgedEditor>(loop_, documents_, bridge_);
}

AskHost Server::ask_host() {
  AskHost host;
  host.loop = &loop_;
  host.workspace = [this] {
    indexer_.look_again();
    return std::make_shared<EditorWorkspace>(documents_, indexer_.index());
  };
  host.editor = editor_.get();
  host.model_settings = [this] { return model_settings(settings_); };
  host.limits = [this] {
    Limits limits;
    limits.max_turns = settings_.number("agent.maxTurns", limits.max_turns);
    limits.max_repairs = settings_.number("agent.maxRepairs", limits.max_repairs);
    return limits;
  };
  host.report = [this](const std::string& id, const Progress& progress) { reported(id, progress); };
  host.ended = [this](AskEnd end) { ended(std::move(end)); };
  return host;
}

void Server::began(const std::string& ask_id, const std::string& title) {
  status_message_ = title;
  if (client_.progress) {
    progress_[ask_id] = ProgressBar(connection_, "bodkin/" + ask_id, "bodkin: " + title);
  }
  show_status();
}

void Server::reported(const std::string& ask_id, const Progress& progress) {
  connection_.notify(
      kStream, {{"askId", ask_id}, {"kind", stream_kind(progress.kind)}, {"text", progress.text}});
  if (progress.kind != Progress::Kind::tool && progress.kind != Progress::Kind::status) return;
  status_message_ = progress.text;
  if (const auto bar = progress_.find(ask_id); bar != progress_.end()) {
    bar->second.report(progress.text);
  }
  show_status();
}

void Server::show_status() {
  if (!client_.proposals) return;
  const Usage usage = asks_->usage();
  connection_.notify(kStatus, {{"state", asks_->running().empty() ? "idle" : "thinking"},
                               {"message", asks_->running().empty() ? "" : status_message_},
                               {"usage", {{"input", usage.input}, {"output", usage.output}}}});
}

void Server::ended(AskEnd end) {
  progress_.erase(end.ask_id);
  show_status();
  Outcome& outcome = end.outcome;
  using End = Outcome::End;
  if (outcome.end == End::cancelled) {
    return tell_end(end, "cancelled", outcome.reason.empty() ? "Cancelled." : outcome.reason, "");
  }
  if (!outcome.files.empty()) {
    const std::string id = review_.add(outcome.files, outcome.title, end.ask_id, outcome.notes);
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
  if (client_.proposals) {
    Json params = {{"askId", end.ask_id}, {"end", how}, {"message", message}};
    if (!proposal_id.empty()) params["proposalId"] = proposal_id;
    connection_.notify(kDidEndAsk, std::move(params));
    return;
  }
  const bool is_bad =
      end.outcome.end == Outcome::End::failed || end.outcome.end == Outcome::End::limit;
  if (message.empty() || (!proposal_id.empty() && !is_bad)) return;
  connection_.notify("window/showMessage",
                     {{"type", is_bad ? 1 : 3}, {"message", "bodkin: " + message}});
}

void Server::judged(Judgement judgement) {
  const Proposal* proposal = review_.find(judgement.proposal_id);
  if (!proposal) return;
  const std::string ask_id = proposal->ask_id;
  const std::string when = settings_.text("agent.repair", "auto");
  const bool can_repair = judgement.repair && !ask_id.empty() && when != "off" &&
                          repairs_[ask_id] < settings_.number("agent.maxRepairs", 2);
  const bool offers = can_repair && when == "offer" && client_.show_message_request;
  if (can_repair && !offers) judgement.message += " — the model is asked to mend it.";
  review_.set_verification(judgement.proposal_id, judgement.verification, judgement.message);
  if (!can_repair) return;
  if (!offers) return mend(ask_id, std::move(*judgement.repair));
  Json params = {{"type", 2}, {"message", "bodkin: " + judgement.message}};
  params["actions"] = {{{"title", "Mend it"}}, {{"title", "Leave it"}}};
  connection_.request(
      "window/showMessageRequest", std::move(params),
      [this, ask_id, repair = std::move(*judgement.repair)](const Result<Json>& answer) {
        if (answer && text_member(*answer, "title") == "Mend it") {
          mend(ask_id, repair);
        }
      });
}

void Server::mend(const std::string& ask_id, Ask repair) {
  const std::string title = repair.title;
  if (!asks_->repair(ask_id, std::move(repair))) return;
  ++repairs_[ask_id];
  began(ask_id, title);
}

}  // namespace bodkin::lsp
