// bodkin ask: one ask without an editor. The model works on a draft; the files change when the user
// says so, through the same writer as `bodkin apply`.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "agent/loop/run.h"
#include "agent/rpc/uri.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_history.h"
#include "lsp/cli/ask_record.h"
#include "lsp/cli/ask_review.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_diff.h"
#include "lsp/server/ending_signals.h"
#include "lsp/sessions/check_json.h"
#include "lsp/sessions/proposal.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/indexer.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

enum Code { done = 0, failed = 1, usage = 2, limit = 3, cancelled = 130 };

void say(std::string_view message) { put(stderr, fmt::format("bodkin ask: {}\n", message)); }

// Without an editor nobody reports problems; permissions are asked for on the terminal.
class TerminalEditor : public Editor {
 public:
  TerminalEditor(AskScreen& screen, bool may_ask) : screen_(screen), may_ask_(may_ask) {}

  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics(); }

  Result<Decision> permit(const Permission& permission, const Task& task) override {
    screen_.pause();
    if (!may_ask_ && permission.kind == "limit") return Decision::reject;
    if (!may_ask_) {
      could_not_ask_ = true;
      say(fmt::format("refused, because there is no terminal to ask on: {}", permission.title));
      return Decision::reject;
    }
    // A command of one line stands in the title, and in the line above the question.
    const bool is_in_title = permission.title.ends_with(" " + permission.detail);
    put(stderr, fmt::format("\n{}\n", plain_line(permission.title)));
    if (!permission.detail.empty() && !is_in_title) put(stderr, permission.detail + "\n");
    const bool is_limit = permission.kind == "limit";
    std::string question = "Allow it? [y]es", keys = "yn";
    if (permission.longest >= Decision::session) question += ", for this [s]ession", keys += "sa";
    if (permission.longest >= Decision::workspace) question += " or [w]orkspace", keys += 'w';
    question += ", [n]o, no with a [r]eason ";
    if (is_limit) {
      question = "Go on? [y]es, [n]o ";
    } else {
      keys += 'r';
    }
    const char key = ask_for_key(question, keys);
    Decision decision = key == 'y'                 ? Decision::once
                        : key == 's' || key == 'a' ? Decision::session
                        : key == 'w'               ? Decision::workspace
                                                   : Decision::reject;
    if (key == 'r') decision.reason = ask_for_line("Why not? ").value_or("");
    if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
    return decision;
  }

  Result<std::string> ask_words(const std::string& question, const Task& task) override {
    screen_.pause();
    if (!may_ask_)
      return fail(Error::Code::unavailable, "The mode human needs a terminal to ask on.");
    auto words = ask_for_line(question + ": ");
    if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
    return words.value_or("");
  }

  bool could_not_ask() const { return could_not_ask_; }

 private:
  AskScreen& screen_;
  bool may_ask_, could_not_ask_ = false;
};

const char* name_of(Progress::Kind kind) {
  switch (kind) {
    case Progress::Kind::text:
      return "text";
    case Progress::Kind::thought:
      return "thought";
    case Progress::Kind::plan:
      return "plan";
    case Progress::Kind::step:
      return "result";
    default:
      return "step";
  }
}

json event_of(const Progress& progress) {
  json event = {{"event", name_of(progress.kind)}, {"text", progress.text}};
  if (!progress.step) return event;
  event["failed"] = progress.step->failed;
  event["files"] = json::array();
  for (const Step::File& file : progress.step->files) {
    event["files"].push_back({{"path", file.moved_to.empty() ? file.path : file.moved_to},
                              {"added", file.added},
                              {"removed", file.removed}});
  }
  return event;
}

// Why --yes does not write it; empty: it does.
std::string why_not_taken(const Outcome& outcome) {
  if (outcome.end != Outcome::End::done) return "the ask did not finish";
  const std::vector<std::string> objections = objections_of(outcome);
  return objections.empty() ? "" : objections[0];
}

int code_of(const Outcome& outcome) {
  switch (outcome.end) {
    case Outcome::End::done:
      return done;
    case Outcome::End::limit:
      return limit;
    case Outcome::End::cancelled:
      return cancelled;
    case Outcome::End::failed:
      break;
  }
  return failed;
}

void print_event(const json& event) { put(stdout, text_of_json(event) + "\n"); }

class AskRun {
 public:
  AskRun(const AskCommand& options, ConfinedFolder folder)
      : options_(options),
        folder_(std::move(folder)),
        editor_(screen_, can_ask_user()),
        ending_([this](int signal) {
          if (restore_terminal() || decides_) {
            put(stderr, "\nbodkin ask: Cancelled.\n");
            ::_exit(128 + signal);
          }
          stop_.request_stop();
        }) {}

  int run(AskRequest request);

 private:
  bool prepare(AskRequest& request);
  int decide(const Outcome& outcome);
  int write(const Outcome& outcome, const std::vector<ChangedFile>& files);
  int write_part(const Outcome& outcome, const std::vector<ChangedFile>& files);
  void print_end(const Outcome& outcome, const std::vector<ChangedFile>& files, bool written) const;
  void print_words(const Outcome& outcome) const;
  Task task();
  Spent spent() const { return spent_since(before_, conversation_.spent); }

  const AskCommand& options_;
  const ConfinedFolder folder_;
  AskScreen screen_;
  TerminalEditor editor_;
  std::stop_source stop_;
  std::atomic<bool> decides_ = false;  // the user does
  bool is_trusted_ = false;            // the folder
  Clock::time_point began_ = Clock::now();

  lsp::Settings settings_;
  lsp::Documents documents_;
  lsp::Indexer indexer_{lsp::default_cache_folder(), lsp::Indexer::Priority::normal};
  std::unique_ptr<lsp::EditorWorkspace> workspace_;
  std::unique_ptr<Model> model_, second_model_;
  DraftModel draft_model_;
  std::unique_ptr<Verifier> verifier_;
  lsp::Shared shared_{.mcp = std::make_shared<Mcp>([this](const std::string& words) {
                        screen_.pause();
                        say(plain_line(words));
                      })};
  std::shared_ptr<std::atomic<Mode>> mode_ = std::make_shared<std::atomic<Mode>>(Mode::confirm);
  Limits limits_;
  Conversation conversation_;
  Spent before_;  // by the session's earlier asks
  std::optional<AskHistory> history_;
  std::unique_ptr<AskRecord> record_;
  Ask ask_;
  std::optional<Outcome> proposed_;  // what the user was last asked about, or is to see
  json recorded_;                    // the request, for --record
  EndingSignals ending_;             // last: it uses the others
};

Task AskRun::task() {
  return {stop_.get_token(), [this](const Progress& progress) {
            if (record_) record_->report(progress);
            if (options_.json) {
              print_event(event_of(progress));
            } else {
              screen_.show(progress, spent());
            }
          }};
}

// False: it cannot start; the reason is said.
bool AskRun::prepare(AskRequest& request) {
  settings_.set(lsp::Settings::Layer::user_file, lsp::user_settings());
  for (const std::string& problem : problems_of(settings_)) say("settings: " + problem);
  never_run_from(folder_.path());
  documents_.add_folder({lsp::uri_of_path(folder_.path()), "workspace"});
  is_trusted_ = lsp::Trust(settings_.list("workspace.trusted")).covers(documents_.roots());

  *mode_ = mode_named(options_.mode.empty() ? settings_.text("agent.mode") : options_.mode)
               .value_or(Mode::confirm);
  if (options_.plan || *mode_ == Mode::plan) request.profile = "plan";
  if (!options_.profile.empty())
    request.profile = options_.profile;
  else if (request.profile != "plan")
    request.profile = settings_.text("agent.profile");
  request.dialect = settings_.text("agent.dialect");
  request.edit_format =
      options_.format.empty() ? settings_.text("agent.editFormat") : options_.format;
  if (take_slash_command(request) && request.prompt.empty()) request.prompt = "Fix this.";
  recorded_ = json_of(request);
  if (!options_.record.empty()) {  // before anything is paid for
    if (const auto file = open_recording(options_.record); !file)
      return say(file.error().message), false;
  }
  auto ask = make_ask(std::move(request), lsp::own_profiles_folder());
  if (!ask) return say(ask.error().message), false;
  ask_ = *std::move(ask);

  history_.emplace(lsp::history_limits(settings_), [this](const std::string& words) {
    screen_.pause();
    say(plain_line(words));
  });
  if (!options_.session.empty()) {
    const auto resumed = history_->resume(options_.session, documents_.roots(), conversation_);
    if (!resumed) return say(resumed.error().message), false;
    before_ = conversation_.spent;
  }

  ModelSettings model = lsp::user_model_settings(options_.provider, options_.endpoint);
  if (!options_.model.empty()) model.name = options_.model;
  auto chosen = choose_model(model, nullptr, task());
  if (!chosen) return say(chosen.error().message), false;
  model_ = std::move(chosen->model);
  draft_model_ = draft_model_of(lsp::draft_model_settings(settings_), nullptr, second_model_);

  indexer_.set_roots(documents_.roots(), is_trusted_);
  task().report({Progress::Kind::status, "Indexing"});
  if (!indexer_.wait(stop_.get_token())) return false;
  workspace_ = std::make_unique<lsp::EditorWorkspace>(documents_, indexer_.index(), is_trusted_);
  limits_ = lsp::limits_of(settings_, is_trusted_, documents_.roots(), shared_);
  limits_.mode = mode_;
  verifier_ = lsp::verifier_of(settings_, is_trusted_, &editor_, shared_.consent);
  return true;
}

int AskRun::run(AskRequest request) {
  if (!prepare(request)) {
    if (!stop_.stop_requested()) return failed;
    screen_.pause();
    say("Cancelled.");
    return cancelled;
  }
  const bool is_watched = !options_.diff && !options_.json && can_ask_user() && ::isatty(1);
  // A setting alone neither writes what a script only wants to see, nor into any folder.
  const bool takes = options_.yes || (options_.mode == "auto" && !options_.diff) ||
                     (*mode_ == Mode::automatic && is_trusted_ && is_watched);
  const bool may_decide = !takes && is_watched;
  RecordedModel recorded_model(*model_);
  RecordedWorkspace recorded_files(*workspace_);
  bool records = !options_.record.empty();
  Model& model = records ? static_cast<Model&>(recorded_model) : *model_;
  Workspace& workspace = records ? static_cast<Workspace&>(recorded_files) : *workspace_;
  for (;;) {
    auto record = history_->begin(ask_, documents_.roots(), conversation_, model, task());
    if (!record) return say(record.error().message), failed;
    record_ = *std::move(record);
    Outcome outcome = bodkin::run(conversation_, ask_,
                                  {*record_, workspace, &editor_, verifier_.get(), limits_, task(),
                                   lsp::own_profiles_folder(), &draft_model_});
    record_->end(outcome);
    history_->keep(outcome, documents_.roots());
    screen_.pause();
    if (std::exchange(records, false)) {  // a refinement is another ask
      recorded_["profile"] = conversation_.profile;
      const auto written =
          write_recording(options_.record, recorded_, recorded_files, recorded_model);
      if (!written) say(written.error().message);
    }
    const std::vector<ChangedFile> files = changed_files(outcome.files);
    if (outcome.end == Outcome::End::cancelled) {
      const bool is_interrupted = stop_.stop_requested();
      if (!is_interrupted && editor_.could_not_ask())
        outcome.reason =
            "Stopped: it needs a permission that could not be asked for; see "
            "bodkin.agent.permissions";
      if (options_.json)
        print_end(outcome, files, false);
      else
        say(outcome.reason.empty() ? "Cancelled." : outcome.reason);
      return is_interrupted ? cancelled : failed;
    }
    print_words(outcome);
    if (files.empty()) {
      if (options_.json) print_end(outcome, files, false);
      if (proposed_ && outcome.takes_back) {
        say("The proposal is taken back; nothing was changed.");
        return done;
      }
      if (!proposed_ && !options_.json && outcome.end == Outcome::End::done) {
        put(stderr, fmt::format("({}; bodkin ask --session {} goes on)\n",
                                in_words(spent(), Clock::now() - began_), history_->session()));
      }
      if (!proposed_) return code_of(outcome);
      say("The proposal stays as it is.");  // the refinement has changed nothing of it
      const int code = decide(Outcome(*proposed_));
      if (code >= 0) return code;
      continue;
    }
    proposed_ = outcome;
    if (!options_.json) {
      print_diff(diff_of(files));
      std::fflush(stdout);
      for (const std::string& note : notes_of(outcome)) say(note);
      put(stderr, fmt::format("{} {}. {}.\n", changes_in_words(outcome.files, "Would change"),
                              in_words(verification_of(outcome)),
                              in_words(spent(), Clock::now() - began_)));
    }
    if (may_decide) {
      const int code = decide(outcome);
      if (code >= 0) return code;
      continue;  // refined
    }
    const std::string why_not = takes ? why_not_taken(outcome) : "";
    const bool writes = takes && why_not.empty();
    int code = code_of(outcome);
    if (writes) code = write(outcome, files);
    if (options_.json)
      print_end(outcome, files, writes && code == done);
    else if (!why_not.empty())
      say("not written: " + why_not);
    else if (!writes)
      say("nothing was written; --yes writes it");
    return code == done && !why_not.empty() ? failed : code;
  }
}

// The exit code; -1: the ask goes on with another request.
int AskRun::decide(const Outcome& outcome) {
  decides_ = true;
  for (;;) {
    const char key = ask_for_key("[a]pply, choose [h]unks, [r]efine, or [d]iscard? ", "ahrd");
    if (key == 'a') return write(outcome, changed_files(outcome.files));
    if (key == 'd' || key == '\0') {
      say("Discarded; nothing was changed.");
      return done;
    }
    if (key == 'h') {
      const auto chosen = choose_hunks(outcome.files, documents_.roots());
      if (chosen && chosen->empty()) say("No hunk was chosen.");
      if (chosen && !chosen->empty()) return write_part(outcome, *chosen);
    }
    if (key == 'r') {
      const auto words = ask_for_line("What should be different? ");
      if (!words || words->empty()) continue;
      AskRequest refined{.prompt = *words,
                         .dialect = "",  // as before, like the next one
                         .edit_format = "",
                         .refined = AskRequest::Proposal{outcome.title, outcome.files}};
      take_slash_command(refined);
      auto ask = make_ask(std::move(refined), lsp::own_profiles_folder());
      if (!ask) {
        say(ask.error().message);
        continue;
      }
      ask_ = *std::move(ask);
      decides_ = false;
      return -1;
    }
  }
}

// What was found in all of it says nothing of a part.
int AskRun::write_part(const Outcome& outcome, const std::vector<ChangedFile>& files) {
  std::vector<DraftFile> draft;
  for (const ChangedFile& file : files) {
    DraftFile part{.path = file.path, .text = file.after, .moved_to = file.rename_to};
    if (file.before) part.base = Snapshot{file.path, std::nullopt, *file.before};
    draft.push_back(std::move(part));
  }
  const CheckResult check = shared_.checker->check(draft, *workspace_, task());
  const int code = write(outcome, files);
  if (code == done) say("this part alone: " + in_words(verification_of(check)));
  return code;
}

int AskRun::write(const Outcome& outcome, const std::vector<ChangedFile>& files) {
  decides_ = false;
  const auto refuse = [](const std::string& why) {
    say(why + "; nothing was changed");
    return failed;
  };
  const auto writes = writes_of(files, folder_);
  if (!writes) return refuse(writes.error().message);
  if (const auto can = check_writes(folder_, *writes); !can) return refuse(can.error().message);
  auto writing = Writing::begin(folder_, "ask");
  if (!writing) return refuse(writing.error().message);
  if (const auto done = (*writing)->write(*writes); !done) return refuse(done.error().message);
  if (const auto kept = history_->keep_written(outcome, files, documents_.roots()); !kept)
    say(kept.error().message);
  if (options_.json) return done;
  for (const ChangedFile& file : files) {
    put(stderr, fmt::format("{} {}{}\n", state_of(file), file.path,
                            file.rename_to ? " -> " + *file.rename_to : ""));
  }
  return done;
}

void AskRun::print_words(const Outcome& outcome) const {
  if (options_.json) return;
  if (!outcome.withheld.empty()) say(outcome.withheld);
  // Next to a diff, or of an ask that failed, the words are not the result.
  const bool is_result = outcome.files.empty() && outcome.end == Outcome::End::done;
  const bool is_redirected = is_result && !::isatty(1);
  const std::string words = is_redirected ? outcome.answer : screen_.not_shown(outcome.answer);
  if (!words.empty()) put(is_result ? stdout : stderr, words + "\n");
  if (outcome.end != Outcome::End::done) say(outcome.reason);
}

void AskRun::print_end(const Outcome& outcome, const std::vector<ChangedFile>& files,
                       bool written) const {
  static constexpr const char* kEnds[] = {"answer", "limit", "cancelled", "failed"};
  const bool is_proposal = outcome.end == Outcome::End::done && !files.empty();
  const Spent sum = spent();
  json event = {{"event", "end"},
                {"session", history_->session()},
                {"end", is_proposal ? "proposal" : kEnds[static_cast<size_t>(outcome.end)]},
                {"answer", outcome.answer},
                {"reason", outcome.reason},
                {"partial", outcome.partial},
                {"notes", notes_of(outcome)},
                {"checked", in_words(verification_of(outcome))},
                {"check", outcome.check ? json_of(*outcome.check) : json()},
                {"turns", sum.turns},
                {"input_tokens", sum.usage.input},
                {"output_tokens", sum.usage.output},
                {"cost_usd", sum.cost_usd ? json(*sum.cost_usd) : json()},
                {"written", written},
                {"files", json::array()}};
  for (const ChangedFile& file : files) {
    json entry = {{"path", file.path}, {"state", state_of(file)}, {"diff", diff_of(file)}};
    if (file.rename_to) entry["to"] = *file.rename_to;
    event["files"].push_back(std::move(entry));
  }
  print_event(event);
}

}  // namespace

int ask_command(const AskCommand& options) {
  if (!options.mode.empty() && !mode_named(options.mode))
    return say("--mode must be confirm, auto, human or plan"), usage;
  if (const auto valid = check_names(options); !valid) return say(valid.error().message), usage;
  auto folder = ConfinedFolder::open(root_of(options));
  if (!folder) return say(folder.error().message), usage;
  auto request = request_of(options, *folder);
  if (!request) return say(request.error().message), usage;
  if (needs_recovery(*folder)) {  // the model would be shown files that are half changed
    if (options.diff) {
      say("an earlier run was interrupted and may have left files half changed; the next run that "
          "writes restores them first");
    } else if (const auto recovered = Writing::begin(*folder, "ask"); !recovered) {
      return say(recovered.error().message), failed;
    }
  }
  return AskRun(options, *std::move(folder)).run(*std::move(request));
}

}  // namespace bodkin
