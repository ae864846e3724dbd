// bodkin replay: an ask that was recorded, played again on a copy of its files in a private folder.
// Nothing else of this machine and its user takes part: no settings, model, history, network or
// command.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/loop/run.h"
#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "agent/support/wire_json.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_events.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/played_world.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/cli/recording.h"
#include "lsp/server/ending_signals.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/verification.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/indexer.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void say_of_replay(const std::string& words) { say_as("replay", words); }

int refuse_recording(const std::string& why) {
  say_of_replay(why);
  return 1;
}

// Below a folder that is new and has no links.
bool is_inside(const fs::path& path) {
  if (path.empty() || path.is_absolute()) return false;
  for (const fs::path& part : path) {
    if (part == ".." || part == ".git") return false;
  }
  return os::text_of(path).find('\0') == std::string::npos;
}

// Error, for the user.
Result<void> write_files_of(const json& files, const fs::path& root) {
  std::error_code error;
  fs::create_directories(root, error);
  if (!files.is_object()) return {};
  for (const auto& [path, content] : files.items()) {
    if (!content.is_string() || !is_inside(path))
      return fail(Error::Code::invalid_input,
                  "the recording contains a path outside its folder: " + plain_line(path));
    fs::create_directories((root / path).parent_path(), error);
    std::ofstream out(root / path, std::ios::binary);
    out << content.get_ref<const std::string&>();
    out.close();
    if (!out) return fail(Error::Code::unavailable, "cannot write its file " + plain_line(path));
  }
  return {};
}

class ReplayRun {
 public:
  ReplayRun(const ReplayCommand& options, const json& recording, std::string name)
      : options_(options), recording_(recording), name_(std::move(name)) {}
  int run();

 private:
  Result<void> prepare();
  Task task();
  int print(const Outcome& outcome);

  const ReplayCommand& options_;
  const json& recording_;
  const std::string name_;  // of its file
  AskScreen screen_;
  std::stop_source stop_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<TemporaryFolder> temporary_;
  std::optional<ConfinedFolder> folder_;
  std::string profiles_;
  lsp::Documents documents_;
  lsp::Indexer indexer_{"", lsp::Indexer::Priority::normal};
  std::unique_ptr<lsp::EditorWorkspace> files_;
  std::unique_ptr<PlayedWorld> world_;
  Limits limits_;
  Conversation conversation_;
  Spent before_;
  Ask ask_;
  EndingSignals ending_{[this](int) { stop_.request_stop(); }};
};

Task ReplayRun::task() {
  return {stop_.get_token(), [this](const Progress& progress) {
            if (progress.writing) return;
            if (options_.json) return print_event(event_of(progress));
            screen_.show(progress, spent_since(before_, conversation_.spent));
          }};
}

Result<void> ReplayRun::prepare() {
  auto temporary = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!temporary) return std::unexpected(temporary.error());
  temporary_.emplace(*std::move(temporary));
  const fs::path root = fs::path(temporary_->path()) / "workspace";
  const fs::path profiles = fs::path(temporary_->path()) / "profiles";
  if (auto made = write_files_of(at(recording_, "files"), root); !made) return made;
  if (const json& own = at(recording_, "profiles"); own.is_object() && !own.empty()) {
    profiles_ = os::text_of(profiles);
    if (auto made = write_files_of(own, profiles); !made) return made;
  }
  auto folder = ConfinedFolder::open(os::text_of(root));
  if (!folder) return std::unexpected(folder.error());
  folder_.emplace(*std::move(folder));

  const json& ask = at(recording_, "ask");
  AskCommand again;
  again.prompt = string_at(ask, "prompt");
  for (const std::string& each : read_as<std::vector<std::string>>(at(ask, "files")))
    if (is_inside(each)) again.files.push_back(os::text_of(fs::path(folder_->path()) / each));
  auto request = request_of(again, *folder_);
  if (!request) return std::unexpected(request.error());
  const auto chosen = [&](const char* name) {
    const std::string value = string_at(ask, name);
    return value.empty() ? std::string("auto") : value;
  };
  request->profile = chosen("profile");
  request->dialect = ask.contains("dialect") ? string_at(ask, "dialect") : "auto";
  request->edit_format = chosen("format");
  request->wants_problems = at(ask, "problems") == true;
  auto made = make_ask(*std::move(request), profiles_);
  if (!made) return std::unexpected(made.error());
  ask_ = *std::move(made);

  documents_.add_folder({lsp::uri_of_path(folder_->path()), "workspace"});
  indexer_.set_roots(documents_.roots(), false);
  if (!indexer_.wait(stop_.get_token())) return fail(Error::Code::cancelled, "cancelled");
  files_ = std::make_unique<lsp::EditorWorkspace>(documents_, indexer_.index(), false);

  lsp::Settings settings;
  if (const json& limits = at(recording_, "limits"); limits.is_object())
    settings.set(lsp::Settings::Layer::user_file, limits);
  lsp::AskRules rules(settings, {});
  rules.set_mode(mode_named(string_at(ask, "mode")).value_or(Mode::confirm));
  limits_ = rules.limits(false, documents_.roots());
  auto world = PlayedWorld::open(recording_, name_, folder_->path());
  if (!world) return std::unexpected(world.error());
  world_ = *std::move(world);
  conversation_ = world_->conversation(documents_.roots());
  before_ = conversation_.spent;
  return {};
}

int ReplayRun::run() {
  if (const auto ready = prepare(); !ready) return refuse_recording(ready.error().message);
  const Outcome outcome =
      bodkin::run(conversation_, ask_, world_->context(*files_, limits_, task(), profiles_));
  screen_.pause();
  return print(outcome);
}

int ReplayRun::print(const Outcome& outcome) {
  const std::vector<ChangedFile>& files = outcome.files;
  const Spent spent = spent_since(before_, conversation_.spent);
  const std::vector<std::string> differences = world_->differences(outcome);
  if (options_.json) {
    json event = end_event(outcome, files, "", spent, false, "");
    event["differences"] = differences;
    print_event(event);
  } else {
    print_answer(outcome, screen_);
    if (outcome.end != Outcome::End::done) say_of_replay(outcome.reason);
    print_diff(diff_of(files), stdout, false);
    std::fflush(stdout);
    for (const std::string& note : notes_of(outcome)) say_of_replay(note);
    const std::string changes =
        changes_in_words(files, "Would change") + " " + in_words(verification_of(outcome)) + ". ";
    print_folded(fmt::format("{}{}.", files.empty() ? "" : changes,
                             in_words(spent, std::chrono::steady_clock::now() - began_)));
    for (const std::string& each : differences)
      say_of_replay("Not as recorded: " + plain_line(each));
    if (differences.empty() && !stop_.stop_requested()) say_of_replay("It went as recorded");
  }
  if (outcome.end == Outcome::End::cancelled && stop_.stop_requested()) return 130;
  if (!differences.empty()) return 1;
  // The exit code of the recorded ask.
  return outcome.end == Outcome::End::done ? 0 : outcome.end == Outcome::End::limit ? 3 : 1;
}

}  // namespace

int replay_command(const ReplayCommand& options) {
  std::error_code error;
  const fs::path file = fs::absolute(options.recording, error);
  const auto text = read_file(os::text_of(file), kMaxRecording);
  if (!text) return refuse_recording(text.error().message);
  const json recording = parse_json(*text).value_or(json());
  if (!is_recording(recording))
    return refuse_recording(
        "this is not a recording made by bodkin ask --record; prepared replies are played by "
        "--provider replay --model FILE");
  return ReplayRun(options, recording, os::text_of(file)).run();
}

}  // namespace bodkin
