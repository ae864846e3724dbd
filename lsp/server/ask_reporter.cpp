#include "lsp/server/ask_reporter.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "agent/models/providers/providers.h"
#include "agent/replies/written_edit.h"
#include "agent/rpc/uri.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "edits/text/shortened.h"
#include "lsp/protocol/arguments.h"
#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {

namespace {

// bodkin/status and the kind of $/bodkin/stream.
struct Shown {
  const char* state;
  const char* stream;
};
Shown shown(Progress::Kind kind) {
  using enum Progress::Kind;
  return {kind == editing                      ? "editing"
          : kind == verifying || kind == draft ? "verifying"
          : kind == waiting                    ? "waiting"
                                               : "thinking",
          kind == text      ? "text"
          : kind == thought ? "thought"
          : kind == plan    ? "plan"
                            : "tool"};
}

// Under which names the tools of all dialects are given a file, and what else a call is about.
constexpr const char* kPathNames[] = {"path", "file_path", "filePath", "target_file", "filename"};
constexpr const char* kSubjectNames[] = {"command", "cmd", "pattern", "query", "name", "symbol"};
constexpr size_t kMaxSubject = 2000;  // bytes

std::string first_text(const Json& arguments, std::span<const char* const> names) {
  for (const char* name : names)
    if (std::string text = text_member(arguments, name); !text.empty()) return text;
  return "";
}

Json json_of(const Step& step) {
  constexpr const char* kChanges[] = {"edited", "created", "removed"};
  Json files = Json::array();
  for (const Step::File& file : step.files) {
    Json& made = files.emplace_back(Json{{"path", visible(file.path)},
                                         {"change", kChanges[static_cast<size_t>(file.change)]},
                                         {"added", file.added},
                                         {"removed", file.removed},
                                         {"diff", visible(file.diff)}});
    if (!file.moved_to.empty()) made["movedTo"] = visible(file.moved_to);
  }
  Json told = {{"tool", visible(step.tool)},
               {"ms", step.time.count()},
               {"failed", step.failed},
               {"files", std::move(files)}};
  if (!step.reason.empty()) told["reason"] = visible(step.reason);
  if (!step.call.reason.empty()) told["why"] = visible(step.call.reason);
  if (const Json arguments = parse_json(step.call.arguments).value_or(Json());
      arguments.is_object()) {
    if (const std::string path = first_text(arguments, kPathNames); !path.empty())
      told["path"] = visible(path);
    const std::string asked = first_text(arguments, kSubjectNames);
    if (!asked.empty()) told["subject"] = visible(titled_to(asked, kMaxSubject));
  }
  if (step.command)
    told["command"] = {{"exitCode", step.command->exit_code},
                       {"output", visible(step.command->output)}};
  return told;
}

}  // namespace

void AskReporter::began(const std::string& ask_id, const std::string& title,
                        const std::string& refined) {
  status_.set_doing("thinking", title);
  Running& running = running_[ask_id];
  running.refined = refined;
  running.bar = client_.progress("bodkin/" + ask_id, "bodkin: " + title);
  log_.add(MessageType::information, ask_id + ": " + title);
  status_.show();
}

void AskReporter::reported(const std::string& ask_id, const Progress& progress) {
  using Kind = Progress::Kind;
  const auto running = running_.find(ask_id);
  if (progress.writing && !can_.proposals) return;
  if (progress.writing)
    return client_.notify(kWriting, {{"askId", ask_id},
                                     {"path", visible(progress.writing->path)},
                                     {"old", progress.writing->old_text},
                                     {"new", progress.writing->new_text},
                                     {"lines", progress.writing->lines}});
  if (progress.kind == Kind::draft)
    return early_.drafted(ask_id, running == running_.end() ? "" : running->second.refined,
                          progress.draft);
  if (progress.kind == Kind::text && running != running_.end()) {
    std::string words = running->second.said.add(progress.text);
    // They do not go on where those of the last reply have ended.
    if (!words.empty() && std::exchange(running->second.is_between, false)) words.insert(0, "\n\n");
    if (!words.empty()) running->second.has_words = true;
    return stream(ask_id, progress, words);
  }
  if (progress.kind != Kind::thought && progress.kind != Kind::editing) end_words(ask_id);
  const bool is_told = progress.kind == Kind::status || progress.kind == Kind::note ||
                       progress.kind == Kind::verifying;
  if (is_told && running != running_.end()) running->second.is_between = running->second.has_words;
  stream(ask_id, progress, progress.text);
  const bool is_delta = progress.kind == Kind::text || progress.kind == Kind::thought;
  if (is_delta || progress.kind == Kind::plan) return;
  const Shown as = shown(progress.kind);
  log_.add(MessageType::log, ask_id + ": " + progress.text);
  if (progress.step) {  // what is done is not what it is doing
    for (const Step::File& file : progress.step->files)
      for (const std::string& bill : file.bills)
        log_.add(MessageType::log, ask_id + ": " + file.path + ", " + bill);
    return;
  }
  status_.set_doing(as.state, progress.text);
  if (running != running_.end()) running->second.bar.report(progress.text);
  status_.show();
}

void AskReporter::stream(const std::string& ask_id, const Progress& progress,
                         std::string_view text) {
  if (text.empty() && !progress.step) return;
  Json told = {{"askId", ask_id}, {"kind", shown(progress.kind).stream}, {"text", visible(text)}};
  if (progress.step) told["step"] = json_of(*progress.step);
  if (progress.kind == Progress::Kind::note) told["note"] = true;
  client_.notify(kStream, std::move(told));
}

void AskReporter::end_words(const std::string& ask_id) {
  const auto running = running_.find(ask_id);
  if (running == running_.end()) return;
  const std::string rest = running->second.said.end();
  if (!rest.empty()) running->second.has_words = true;
  stream(ask_id, {Progress::Kind::text, ""}, rest);
}

void AskReporter::set_why_cancelled(const std::string& why) {
  for (auto& [id, running] : running_) running.why_cancelled = why;
}

void AskReporter::ended(AskEnd end) {
  end_words(end.ask_id);
  std::string refined, why_cancelled;
  if (const auto running = running_.find(end.ask_id); running != running_.end()) {
    refined = running->second.refined;
    why_cancelled = running->second.why_cancelled;
    running_.erase(running);
  }
  status_.show();
  using End = Outcome::End;
  Outcome& outcome = end.outcome;
  if (outcome.end == End::cancelled && !why_cancelled.empty()) outcome.reason = why_cancelled;
  log_.add(MessageType::information,
           end.ask_id + " ended" + (outcome.reason.empty() ? "." : ": " + outcome.reason));
  if (!outcome.withheld.empty()) {
    client_.say(MessageType::information, "bodkin: " + outcome.withheld);
  }
  const auto early = early_.ended(end, refined);
  if (outcome.end == End::cancelled) {
    return report_end(end, "cancelled", outcome.reason.empty() ? "Cancelled." : outcome.reason, "");
  }
  const std::string id = early ? *early : propose(end, refined);
  const std::string& words = outcome.end == End::done ? outcome.answer : outcome.reason;
  if (!id.empty()) {
    const bool is_whole = outcome.end == End::done || outcome.end == End::failed;
    return report_end(end, is_whole ? "proposal" : name_of(outcome.end), words, id);
  }
  if (outcome.takes_back && !refined.empty()) (void)proposals_.discard(refined, nullptr);
  report_end(end, outcome.end == End::done ? "answer" : name_of(outcome.end), words, "");
}

std::string AskReporter::propose(AskEnd& end, const std::string& refined) {
  Outcome& outcome = end.outcome;
  if (outcome.files.empty()) return "";
  NewProposal made = NewProposal::of(outcome, end.roots);
  made.ask_id = end.ask_id;
  made.replaces = refined;
  // Nobody is asked about an edit in which nothing was found, if that was wished.
  bool direct = outcome.end == Outcome::End::done && policy_.may_apply_at_once();
  if (direct) {
    made.notes = objections_of(outcome);
    direct = made.notes.empty();
  } else if (outcome.end == Outcome::End::done && policy_.applies_at_once() && made.notes.empty()) {
    made.notes.push_back("edits wait: this folder is not trusted");
  }
  made.quiet = direct;
  const std::string id = proposals_.add(outcome.files, std::move(made));
  if (const Proposal& added = *proposals_.find(id); added.state == Proposal::State::stale) {
    outcome.is_overtaken = true;
    if (outcome.answer == changes_in_words(outcome.files)) outcome.answer.clear();
    outcome.answer += fmt::format(
        "{}{} {} left out: you have changed the text there.", outcome.answer.empty() ? "" : "\n",
        counted(added.hunk_count(), "change"), added.hunk_count() == 1 ? "was" : "were");
    proposals_.drop(id);
    return "";
  }
  if (direct) {
    if (const auto applied = apply(id); !applied) {
      client_.say(MessageType::warning, "bodkin: Not applied: " + applied.error().message);
    }
  }
  return proposals_.find(id)->hunk_count() > 0 ? id : "";
}

void AskReporter::report_end(const AskEnd& end, const char* how, const std::string& message,
                             const std::string& proposal_id) {
  if (can_.proposals) {
    Json params = {{"askId", end.ask_id}, {"end", how}, {"message", visible(message)}};
    if (!proposal_id.empty()) params["proposalId"] = proposal_id;
    const Outcome& outcome = end.outcome;
    if (!outcome.cause.empty()) params["reason"] = outcome.cause;
    if (!outcome.setting.empty()) params["setting"] = "bodkin." + outcome.setting;
    params["sessionId"] = end.session_id;
    const Usage& used = end.of_ask.usage;
    if (used.input + used.output > 0)
      params["usage"] = {{"input", used.input}, {"output", used.output}};
    if (outcome.is_overtaken) params["overtaken"] = true;
    if (end.outcome.is_plan) params["plan"] = true;
    if (!end.outcome.partial.empty()) params["partial"] = visible(end.outcome.partial);
    return client_.notify(kDidEndAsk, std::move(params));
  }
  using End = Outcome::End;
  const bool is_bad = end.outcome.end == End::failed || end.outcome.end == End::limit ||
                      end.outcome.end == End::refused;
  if (message.empty() || (!proposal_id.empty() && !is_bad)) return;
  if (is_bad) return client_.say(MessageType::error, "bodkin: " + message);
  client_.say(MessageType::information, "bodkin: " + beginning_of(message, end.ask_id));
}

// Editors show a message that is taller than its place by its end (Emacs), or leave out what
// follows: the beginning, and the name of a file with all of it.
std::string AskReporter::beginning_of(const std::string& answer, const std::string& ask_id) {
  constexpr size_t kWidth = 76, kFits = 5, kShown = 3;  // a quarter of a terminal of 24 lines
  std::string rows, shown;
  size_t count = 0;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    rows += wrapped(line, kWidth, 0) + "\n";
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == '\n' && ++count == kShown) shown = rows.substr(0, i + 1);
  }
  if (count <= kFits) return answer;
  const auto uri = shown_.uri_of("answer-" + ask_id + ".md", visible(answer) + "\n");
  const auto path = uri ? rpc::path_of_uri(*uri) : std::nullopt;
  if (!path) return answer;
  return shown + "… (all of it: " + *path + ")";
}

}  // namespace bodkin::lsp
