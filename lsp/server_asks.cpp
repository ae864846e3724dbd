// What an ask says while it runs, how it ends, and what the editor's diagnostics say of its edit.
#include <fmt/format.h>

#include <algorithm>

#include "agent/providers.h"
#include "agent/run.h"
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
      return bridge_.current(documents_.uri_of(path));
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
  host.workspace = &workspace_;
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
    const std::string id = review_.add(outcome.files, outcome.title, end.ask_id);
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

void Server::remember_problems(const Proposal& proposal) {
  problems_before_[proposal.id] = bridge_.problems();
}

// The texts are in place: now the editor's language servers have the word.
void Server::check_problems(const Proposal& proposal) {
  std::vector<std::string> uris;
  for (const ProposedFile& file : proposal.files) uris.push_back(file.uri);
  const std::chrono::milliseconds deadline(settings_.number("verify.timeoutMs", 5000));
  if (!client_.diagnostics && !bridge_.has_heard()) return judge(proposal.id, Freshness::unknown);
  bridge_.settle(std::move(uris), deadline,
                 [this, id = proposal.id](Freshness freshness) { judge(id, freshness); });
}

void Server::judge(const std::string& proposal_id, Freshness freshness) {
  const Proposal* proposal = review_.find(proposal_id);
  const auto before = problems_before_.find(proposal_id);
  if (!proposal || before == problems_before_.end()) return;
  Problems fresh = bridge_.problems();
  for (const Problem& old : before->second) {
    if (const auto same = fresh.find(old); same != fresh.end()) fresh.erase(same);
  }
  std::erase_if(fresh, [](const Problem& problem) { return problem.severity != 1; });
  const size_t had = before->second.size();
  problems_before_.erase(before);
  if (freshness == Freshness::unknown && fresh.empty()) {
    return review_.set_verification(proposal_id, {},
                                    "Applied. Not checked: the editor reported no diagnostics of "
                                    "the new text.");
  }
  Verification verification;
  verification.new_problems = static_cast<int>(fresh.size());
  verification.by = fresh.empty() ? "the editor's diagnostics" : fresh.begin()->source;
  if (fresh.empty()) {
    verification.state = Verification::State::verified;
    return review_.set_verification(
        proposal_id, verification,
        had > 0 ? "Applied. No new problems." : "Applied. The editor sees no problems.");
  }
  verification.state = Verification::State::failed;
  const std::string ask_id = proposal->ask_id;
  const int done = repairs_[ask_id];
  const bool repairs = !ask_id.empty() && settings_.text("agent.repair", "auto") == "auto" &&
                       done < settings_.number("agent.maxRepairs", 2);
  review_.set_verification(proposal_id, verification,
                           fmt::format("Applied, with {} new problem{}: {}{}", fresh.size(),
                                       fresh.size() == 1 ? "" : "s", fresh.begin()->message,
                                       repairs ? " — the model is asked to mend it." : ""));
  if (!repairs) return;

  Ask ask;
  ask.prompt = "The edit was applied. The editor now reports new problems. Mend them.\n";
  for (const ProposedFile& file : proposal->files) {
    const Document* document = documents_.find(file.uri);
    if (!document) continue;
    for (Diagnostic& diagnostic :
         diagnostics_of(bridge_.raw(file.uri), document->text, documents_.encoding())) {
      const Problem problem{diagnostic.message, diagnostic.code, diagnostic.source,
                            static_cast<int>(diagnostic.severity)};
      if (!fresh.contains(problem)) continue;
      if (!ask.selection) ask.selection = Selection{file.path, diagnostic.lines};
      ask.prompt +=
          fmt::format("{}:{}: {}\n", file.path, diagnostic.lines.begin + 1, diagnostic.message);
      if (ask.selection->path == file.path) ask.diagnostics.push_back(std::move(diagnostic));
    }
  }
  if (ask.diagnostics.empty()) return;
  if (asks_->repair(ask_id, std::move(ask))) {
    repairs_[ask_id] = done + 1;
    began(ask_id, "Mending new problems");
  }
}

}  // namespace bodkin::lsp
