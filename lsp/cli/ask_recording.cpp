// More than 350 lines: one small class for each thing that an ask takes from outside, all of one
// shape.
#include "lsp/cli/ask_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "agent/checkers/draft_checker.h"
#include "agent/history/hidden.h"
#include "agent/models/replay.h"
#include "agent/placing/placing.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/sandbox/shell.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/tools/mcp.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/recording.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/workspace/disk_steps.h"

namespace bodkin {

using nlohmann::json;

namespace {

constexpr size_t kMaxListedPaths = 5000;  // paths of one listing
constexpr size_t kMaxOfProfile = 256 << 10;

// The settings that decide an ask.
constexpr const char* kSettings[] = {
    "agent.permissions", "agent.maxTurns",   "agent.maxRepairs",    "agent.maxTokens",
    "agent.maxCostUsd",  "agent.maxMinutes", "agent.contextWindow", "agent.commandTimeoutMs"};

}  // namespace

// The first text of each file that is read, and what the listings were.
class AskRecorder::Files : public LayeredWorkspace {
 public:
  using LayeredWorkspace::LayeredWorkspace;

  Result<Snapshot> read(std::string_view path, const Task& task) override {
    auto snapshot = below_.read(path, task);
    if (snapshot) {
      texts_.try_emplace(std::string(path), snapshot->text.str());
    } else if (snapshot.error().code != Error::Code::not_found &&
               snapshot.error().code != Error::Code::cancelled) {
      unreadable_[std::string(path)] = recorded(snapshot.error());
    }
    return snapshot;
  }
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override {
    auto paths = below_.list(folder, limit, task);
    const auto key = std::pair(std::string(folder), limit);
    if (paths && paths->size() <= kMaxListedPaths) lists_.try_emplace(key, *paths);
    return paths;
  }

  const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }
  const json& unreadable() const { return unreadable_; }
  json lists() const {
    json lists = json::array();
    for (const auto& [key, paths] : lists_)
      lists.push_back({{"folder", key.first}, {"limit", key.second}, {"paths", paths}});
    return lists;
  }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::pair<std::string, size_t>, std::vector<std::string>> lists_;
  json unreadable_ = json::object();
};

// Records the questions to the user, and the answers.
class AskRecorder::Answers : public Editor {
 public:
  Answers(Editor& below, json& recording) : below_(below), recording_(recording) {}

  Result<Diagnostics> diagnostics(std::string_view path, const Task& task) override {
    return below_.diagnostics(path, task);
  }
  Result<Decision> permit(const Permission& permission, const Task& task) override {
    auto decision = below_.permit(permission, task);
    json answer = recorded(decision);
    answer["title"] = permission.title;
    recording_["answers"].push_back(std::move(answer));
    return decision;
  }
  Result<std::string> ask_words(const std::string& question, const Task& task) override {
    auto words = below_.ask_words(question, task);
    recording_["words"].push_back(words ? json(*words) : recorded(words.error()));
    return words;
  }

 private:
  Editor& below_;
  json& recording_;
};

// Records a model's answers, and what it was told.
class AskRecorder::Turns : public Model {
 public:
  Turns(Model& model, std::string root) : model_(model), root_(std::move(root)) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    std::string text, thinking;
    const Task heard{task.stop, [&](const Progress& progress) {
                       if (progress.kind == Progress::Kind::text) text += progress.text;
                       if (progress.kind == Progress::Kind::thought) thinking += progress.text;
                       if (task.report) task.report(progress);
                     }};
    auto reply = model_.respond(request, heard);
    json turn = {{"told", told_in(request, root_)}};
    if (reply) {
      turn["reply"] = form_of(*reply);
    } else {
      const ModelError& error = reply.error();
      turn["reply"] = {{"text", text}, {"thinking", thinking}};
      turn["error"] = {{"kind", error.kind}, {"message", error.message}, {"status", error.status}};
    }
    turns_.push_back(std::move(turn));
    return reply;
  }
  std::string description() const override { return model_.description(); }
  bool has_tools() const override { return model_.has_tools(); }
  void rest() override { model_.rest(); }
  ModelFacts facts() const override { return model_.facts(); }

  json model() const {
    return {{"name", description()}, {"tools", has_tools()}, {"facts", recorded(facts())}};
  }
  const json& turns() const { return turns_; }
  Model& below() { return model_; }

 private:
  Model& model_;
  const std::string root_;
  json turns_ = json::array();
};

class AskRecorder::McpCalls : public Mcp {
 public:
  McpCalls(std::shared_ptr<Mcp> below, json& recording)
      : below_(std::move(below)), recording_(recording) {}

  std::vector<Tool> tools(ToolBench& bench, bool takes_images, const Task& task) override {
    std::vector<Tool> tools = below_->tools(bench, takes_images, task);
    for (Tool& tool : tools) {
      recording_["mcp_tools"].push_back(recorded(tool));
      tool.run = [this, name = tool.spec.name, run = std::move(tool.run)](const json& arguments,
                                                                          const Task& of_call) {
        ToolOutcome outcome = run(arguments, of_call);
        json call = outcome;
        call["name"] = name;
        call["arguments"] = arguments;
        recording_["mcp_calls"].push_back(std::move(call));
        return outcome;
      };
    }
    return tools;
  }

 private:
  const std::shared_ptr<Mcp> below_;
  json& recording_;
};

class AskRecorder::Checks : public DraftChecker {
 public:
  Checks(std::shared_ptr<DraftChecker> below, json& recording)
      : below_(std::move(below)), recording_(recording) {}

  void warm_up(const std::vector<std::string>& paths, Workspace& files, const Task& task) override {
    below_->warm_up(paths, files, task);
  }
  CheckResult check(const std::vector<ChangedFile>& files, Workspace& base,
                    const Task& task) override {
    CheckResult result = below_->check(files, base, task);
    recording_["checks"].push_back(result);
    return result;
  }
  Result<FileReport> report(const std::string& path, Workspace& base, const Task& task) override {
    auto report = below_->report(path, base, task);
    json entry = recorded(report);
    entry["path"] = path;
    recording_["reports"].push_back(std::move(entry));
    return report;
  }
  std::optional<CheckResult> check_soon(const std::vector<ChangedFile>& files, Workspace& base,
                                        std::chrono::milliseconds patience,
                                        const Task& task) override {
    auto result = below_->check_soon(files, base, patience, task);
    recording_["quick_checks"].push_back(result ? json(*result) : json());
    return result;
  }

 private:
  const std::shared_ptr<DraftChecker> below_;
  json& recording_;
};

class AskRecorder::Verdicts : public Verifier {
 public:
  Verdicts(Verifier& below, json& recording) : below_(below), recording_(recording) {}
  Verdict verify(Workspace& draft, Workspace& base, const Task& task) override {
    Verdict verdict = below_.verify(draft, base, task);
    recording_["verdicts"].push_back(verdict);
    return verdict;
  }

 private:
  Verifier& below_;
  json& recording_;
};

json json_of(const AskRequest& request) {
  json files = json::array();
  for (const AskRequest::File& file : request.attachments) files.push_back(file.path);
  if (const auto& selection = request.selection) {
    files.push_back(fmt::format("{}:{}-{}", selection->path, selection->lines.begin + 1,
                                std::max(selection->lines.end, selection->lines.begin + 1)));
  }
  return {{"prompt", request.prompt},   {"profile", request.profile},
          {"dialect", request.dialect}, {"format", request.edit_format},
          {"files", std::move(files)},  {"problems", request.wants_problems}};
}

AskRecorder::AskRecorder(json ask, std::string root, const lsp::Settings& settings)
    : root_(std::move(root)) {
  recording_ = {{"version", kRecordingVersion}, {"name", ask.value("prompt", "")}, {"root", root_}};
  recording_["ask"] = std::move(ask);
  for (const char* list : {"commands", "answers", "words", "mcp_tools", "mcp_calls", "checks",
                           "quick_checks", "reports", "granted"})
    recording_[list] = json::array();
  for (const char* none : {"conversation", "shell", "second", "verdicts"})
    recording_[none] = nullptr;
  for (const char* key : kSettings) recording_["limits"][key] = settings.value(key);
  recording_["profiles"] = json::object();
  std::error_code error;
  const std::string own = lsp::own_profiles_folder();
  if (own.empty()) return;
  for (const auto& entry : std::filesystem::directory_iterator(own, error)) {
    const auto text = read_file(os::text_of(entry.path()), kMaxOfProfile);
    if (text) recording_["profiles"][os::text_of(entry.path().filename())] = *text;
  }
}

AskRecorder::~AskRecorder() = default;

AskContext AskRecorder::around(const AskContext& context, const Conversation& conversation) {
  AskContext inner = context;
  seen_before_ = conversation.seen;
  if (!conversation.messages.empty()) recording_["conversation"] = recorded(conversation);
  for (const std::string& grant : conversation.granted) recording_["granted"].push_back(grant);
  Limits& limits = inner.limits;
  if (limits.grants)
    for (const std::string& grant : limits.grants->all()) recording_["granted"].push_back(grant);
  files_ = std::make_unique<Files>(context.workspace);
  turns_ = std::make_unique<Turns>(context.model, root_);
  if (context.editor) {
    answers_ = std::make_unique<Answers>(*context.editor, recording_);
    inner.editor = answers_.get();
  }
  if (context.verifier) {
    recording_["verdicts"] = json::array();
    verdicts_ = std::make_unique<Verdicts>(*context.verifier, recording_);
    inner.verifier = verdicts_.get();
  }
  if (limits.checker)
    limits.checker = checks_ = std::make_shared<Checks>(limits.checker, recording_);
  if (limits.mcp) limits.mcp = mcp_ = std::make_shared<McpCalls>(limits.mcp, recording_);
  if (limits.shell) {
    Shell shell = *limits.shell;
    recording_["shell"] = {{"confined", is_confined(shell)},
                           {"network", shell.sandbox.network},
                           {"timeout_ms", shell.timeout.count()}};
    shell.instead = [this](const ShellLine& line, const Shell::Run& run) {
      const int64_t begun = now_ns();
      auto outcome = run();
      recording_["commands"].push_back(
          {{"line", subject_of(line)}, {"begun_ns", begun}, {"outcome", recorded(outcome)}});
      return outcome;
    };
    limits.shell = std::make_shared<const Shell>(std::move(shell));
  }
  if (context.draft_model) {
    draft_model_ = *context.draft_model;
    recording_["second"] = {{"prompt", draft_model_.prompt}};
    if (draft_model_.temperature) recording_["second"]["temperature"] = *draft_model_.temperature;
    if (draft_model_.get) {
      draft_model_.get = [this,
                          get = context.draft_model->get](const Task& task) -> Result<Model*> {
        const auto model = get(task);
        if (!model) return model;
        if (!second_ || &second_->below() != *model)
          second_ = std::make_unique<Turns>(**model, root_);
        return second_.get();
      };
    }
    inner.draft_model = &draft_model_;
  }
  return {*turns_,      *files_,    inner.editor,       inner.verifier,
          inner.limits, inner.task, inner.own_profiles, inner.draft_model};
}

Result<void> AskRecorder::write(const std::string& file, const Conversation& conversation,
                                const Outcome& outcome) const {
  json whole = recording_;
  whole["ask"]["profile"] = conversation.profile;
  whole["files"] = files_->texts();
  whole["unreadable"] = files_->unreadable();
  whole["lists"] = files_->lists();
  whole["model"] = turns_->model();
  whole["turns"] = turns_->turns();
  if (draft_model_.get) {
    whole["second"]["model"] = second_ ? second_->model() : json::object();
    whole["second"]["turns"] = second_ ? second_->turns() : json::array();
  }
  whole["seen"] = json::object();
  for (const auto& [path, hash] : seen_before_) {
    const auto text = files_->texts().find(path);
    if (text != files_->texts().end()) whole["seen"][path] = hash == hash_of(Text(text->second));
  }
  whole["end"] = {{"end", name_of(outcome.end)},
                  {"reason", comparable(outcome.reason, root_)},
                  {"diff", comparable(diff_of(outcome.files), root_)}};
  const json recording = recording_without_secrets(whole);
  // A key may be in several strings, a line each.
  const json clean = without_secret_bytes(recording);
  if (clean.is_null())
    return fail(Error::Code::unavailable, "not recorded: it would contain a secret");
  const std::string text = text_of_json(clean, 1) + "\n";
  const auto out = open_recording(file);
  if (!out) return std::unexpected(out.error());
  if (write_all(out->number(), text) != 0)
    return fail(Error::Code::unavailable, "cannot write the recording " + file);
  return {};
}

Result<FileDescriptor> open_recording(const std::string& file) {
  // A slip of the fingers must not cost a file of the user's.
  os::FileStatus status{};
  if (os::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto text = read_file(file, kMaxRecording);
    if (!text || !is_recording(parse_json(*text).value_or(nullptr)))
      return fail(Error::Code::invalid_input, "cannot write the recording: " + file +
                                                  " is a file of another kind; name a new one");
  }
  FileDescriptor out(
      os::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (out) return out;
  return fail(Error::Code::unavailable,
              fmt::format("cannot write the recording {}: {}", file, os::strerror(errno)));
}

}  // namespace bodkin
