// More than 350 lines: one small class for each thing that an ask takes from outside, all of one
// shape.
#include "lsp/cli/played_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/checkers/draft_checker.h"
#include "agent/models/replay.h"
#include "agent/placing/placing.h"
#include "agent/sandbox/shell.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/tools/mcp.h"
#include "edits/text/shortened.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/recording.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin {

using nlohmann::json;

namespace {

constexpr size_t kMaxQuoted = 100;  // bytes of a line
constexpr size_t kMaxDifferences = 20;

// The first line in which they differ: "“a” instead of “b”".
std::string first_difference(const std::string& now, const std::string& then) {
  size_t begin = 0;
  const auto both = std::ranges::mismatch(now, then);
  const auto at = static_cast<size_t>(both.in1 - now.begin());
  if (at > 0) begin = now.rfind('\n', at - 1) == now.npos ? 0 : now.rfind('\n', at - 1) + 1;
  const auto line = [&](const std::string& text) {
    if (begin >= text.size()) return std::string("nothing");
    const std::string words = text.substr(begin, text.find('\n', begin) - begin);
    return "“" + shortened_to(plain_line(words), kMaxQuoted) + "”";
  };
  return line(now) + " instead of " + line(then);
}

}  // namespace

PlayedWorld::Tape::Tape(const json& list) {
  if (list.is_array()) left_.assign(list.begin(), list.end());
}

std::optional<json> PlayedWorld::Tape::take(const char* member, const json& value) {
  const auto found = std::ranges::find_if(
      left_, [&](const json& each) { return !member || at(each, member) == value; });
  if (found == left_.end()) return std::nullopt;
  json entry = std::move(*found);
  left_.erase(found);
  return entry;
}

// The recorded model, and whether it is told the same.
class PlayedWorld::Turns : public Model {
 public:
  Turns(PlayedWorld& world, std::unique_ptr<Model> model, const json& turns, const char* whose)
      : world_(world), model_(std::move(model)), whose_(whose) {
    for (const json& turn : turns)
      told_.push_back(turn.contains("told") ? std::optional(string_at(turn, "told"))
                                            : std::nullopt);
  }

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    const size_t turn = next_++;
    // The first request has the folder, the date and more of this machine.
    if (turn > 0 && turn < told_.size() && told_[turn] && !has_differed_) {
      const std::string now = told_in(request, world_.root_);
      has_differed_ = now != *told_[turn];
      if (has_differed_)
        world_.differs(fmt::format("in request {}, {} was sent something else: {}", turn + 1,
                                   whose_, first_difference(now, *told_[turn])));
    }
    if (turn == told_.size())
      world_.differs(
          fmt::format("{} was asked more than {}", whose_, counted(told_.size(), "time")));
    return model_->respond(request, task);
  }
  size_t unused() const { return told_.size() - std::min(next_, told_.size()); }
  size_t count() const { return told_.size(); }
  std::string description() const override { return model_->description(); }
  bool has_tools() const override { return model_->has_tools(); }
  ModelFacts facts() const override { return model_->facts(); }

 private:
  PlayedWorld& world_;
  const std::unique_ptr<Model> model_;
  const char* whose_;
  std::vector<std::optional<std::string>> told_;
  size_t next_ = 0;
  bool has_differed_ = false;
};

class PlayedWorld::Files : public LayeredWorkspace {
 public:
  Files(Workspace& below, const json& recording)
      : LayeredWorkspace(below), unreadable_(json::object()) {
    if (at(recording, "unreadable").is_object()) unreadable_ = at(recording, "unreadable");
    for (const json& list : read_as<std::vector<json>>(at(recording, "lists")))
      lists_[{string_at(list, "folder"), static_cast<size_t>(int_at(list, "limit"))}] =
          read_as<std::vector<std::string>>(at(list, "paths"));
  }

  Result<Snapshot> read(std::string_view path, const Task& task) override {
    const auto found = unreadable_.find(std::string(path));
    if (found != unreadable_.end()) return std::unexpected(error_in(*found));
    return below_.read(path, task);
  }
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override {
    const auto found = lists_.find({std::string(folder), limit});
    return found != lists_.end() ? Result<std::vector<std::string>>(found->second)
                                 : below_.list(folder, limit, task);
  }

 private:
  json unreadable_;
  std::map<std::pair<std::string, size_t>, std::vector<std::string>> lists_;
};

class PlayedWorld::User : public Editor {
 public:
  explicit User(PlayedWorld& world)
      : world_(world), answers_(world.tape("answers")), words_(world.tape("words")) {}

  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics(); }
  Result<Decision> permit(const Permission& permission, const Task&) override {
    const auto answer = answers_.take("title", permission.title);
    if (answer && answer->contains("error")) return std::unexpected(error_in(*answer));
    if (answer) return read_as<Decision>(*answer);
    // Allowing it is harmless: nothing happens here.
    world_.differs("there is no answer to “" + plain_line(permission.title) + "”; it was allowed");
    return permission.kind == "limit" ? Decision(Decision::reject) : Decision(Decision::once);
  }
  Result<std::string> ask_words(const std::string&, const Task&) override {
    const auto words = words_.take();
    if (words && words->is_string()) return words->get<std::string>();
    if (words) return std::unexpected(error_in(*words));
    world_.differs("the user was asked for more than they have given");
    return "";
  }

 private:
  PlayedWorld& world_;
  Tape answers_, words_;
};

class PlayedWorld::McpCalls : public Mcp {
 public:
  explicit McpCalls(PlayedWorld& world) : world_(world), calls_(world.tape("mcp_calls")) {}

  std::vector<Tool> tools(ToolBench&, bool, const Task&) override {
    std::vector<Tool> tools;
    for (const json& each : at(world_.recording_, "mcp_tools")) {
      Tool& tool = tools.emplace_back(tool_in(each));
      tool.run = [this, name = tool.spec.name](const json& arguments, const Task&) {
        const auto call = calls_.take("arguments", arguments);
        if (call && string_at(*call, "name") == name) return read_as<ToolOutcome>(*call);
        world_.differs("there is no result of this call of " + name);
        ToolOutcome none;
        none.content = "The recording has no result of this call.";
        none.is_error = true;
        return none;
      };
    }
    return tools;
  }

 private:
  PlayedWorld& world_;
  Tape calls_;
};

class PlayedWorld::Checks : public DraftChecker {
 public:
  explicit Checks(PlayedWorld& world)
      : world_(world),
        checks_(world.tape("checks")),
        quick_(world.tape("quick_checks")),
        reports_(world.tape("reports")) {}

  void warm_up(const std::vector<std::string>&, Workspace&, const Task&) override {}
  CheckResult check(const std::vector<ChangedFile>&, Workspace&, const Task&) override {
    const auto check = checks_.take();
    if (check) return read_as<CheckResult>(*check);
    world_.differs("there is no result of this check of the draft");
    CheckResult none;
    none.reason = "the recording has no result of this check";
    return none;
  }
  Result<FileReport> report(const std::string& path, Workspace&, const Task&) override {
    const auto report = reports_.take("path", path);
    if (report && report->contains("error")) return std::unexpected(error_in(*report));
    if (report) return read_as<FileReport>(*report);
    return fail(Error::Code::unavailable, "the recording does not have them");
  }
  std::optional<CheckResult> check_soon(const std::vector<ChangedFile>&, Workspace&,
                                        std::chrono::milliseconds, const Task&) override {
    const auto check = quick_.take();
    return check && check->is_object() ? std::optional(read_as<CheckResult>(*check)) : std::nullopt;
  }

 private:
  PlayedWorld& world_;
  Tape checks_, quick_, reports_;
};

class PlayedWorld::Verdicts : public Verifier {
 public:
  explicit Verdicts(PlayedWorld& world) : world_(world), verdicts_(world.tape("verdicts")) {}
  Verdict verify(Workspace&, Workspace&, const Task&) override {
    const auto verdict = verdicts_.take();
    if (verdict) return read_as<Verdict>(*verdict);
    world_.differs("there is no result of this run of the check command");
    return {};
  }

 private:
  PlayedWorld& world_;
  Tape verdicts_;
};

PlayedWorld::PlayedWorld(json recording, std::string root)
    : recording_(std::move(recording)), root_(std::move(root)) {}

PlayedWorld::~PlayedWorld() = default;

void PlayedWorld::differs(std::string how) {
  if (differences_.size() < kMaxDifferences) differences_.push_back(std::move(how));
}

PlayedWorld::Tape PlayedWorld::tape(const char* name) const { return Tape(at(recording_, name)); }

Result<std::unique_ptr<PlayedWorld>> PlayedWorld::open(json recording, const std::string& name,
                                                       const std::string& root) {
  std::unique_ptr<PlayedWorld> world(new PlayedWorld(std::move(recording), root));
  const json& all = world->recording_;
  if (int_at(all, "version") != kRecordingVersion)
    return fail(Error::Code::invalid_input, "another version of bodkin made the recording");
  const auto turns_of = [&](const json& from, const char* whose) -> Result<std::unique_ptr<Turns>> {
    const json turns = at(from, "turns").is_array() ? at(from, "turns") : json::array();
    json form = {{"name", string_at(all, "name")}, {"turns", turns}};
    if (at(from, "model").is_object()) form["model"] = at(from, "model");
    auto model = parse_replay(text_of_json(form), name, false);
    if (!model) return std::unexpected(model.error());
    return std::make_unique<Turns>(*world, *std::move(model), turns, whose);
  };
  auto model = turns_of(all, "the model");
  if (!model) return std::unexpected(model.error());
  world->model_ = *std::move(model);
  if (const json& second = at(all, "second"); second.is_object()) {
    world->draft_model_.prompt = string_at(second, "prompt");
    if (at(second, "temperature").is_number())
      world->draft_model_.temperature = at(second, "temperature").get<double>();
    if (second.contains("turns")) {
      auto drafts = turns_of(second, "the second model");
      if (!drafts) return std::unexpected(drafts.error());
      world->second_ = *std::move(drafts);
      world->draft_model_.get = [world = world.get()](const Task&) -> Result<Model*> {
        return world->second_.get();
      };
    }
  }
  world->commands_ = world->tape("commands");
  return world;
}

Conversation PlayedWorld::conversation(const Roots& roots) const {
  const json& from = at(recording_, "conversation");
  Conversation conversation = from.is_object() ? conversation_in(from) : Conversation();
  if (from.is_object()) conversation.roots = roots;
  for (std::string& grant : read_as<std::vector<std::string>>(at(recording_, "granted")))
    conversation.granted.insert(std::move(grant));
  // A text without its secrets has another hash.
  const json& seen = at(recording_, "seen");
  if (!seen.is_object()) return conversation;
  for (const auto& [path, is_as_read] : seen.items()) {
    const json& text = at(at(recording_, "files"), path);
    if (text.is_string())
      conversation.seen[path] =
          is_as_read == true ? hash_of(Text(text.get<std::string>())) : uint64_t{0};
  }
  return conversation;
}

AskContext PlayedWorld::context(Workspace& files, Limits limits, Task task,
                                const std::string& own_profiles) {
  files_ = std::make_unique<Files>(files, recording_);
  user_ = std::make_unique<User>(*this);
  limits.grants = nullptr;
  limits.day = nullptr;
  limits.max_cost_usd_per_day = 0;
  limits.max_minutes = 0;
  limits.checker = std::make_shared<Checks>(*this);
  limits.mcp = nullptr;
  const json& tools = at(recording_, "mcp_tools");
  if (tools.is_array() && !tools.empty()) limits.mcp = std::make_shared<McpCalls>(*this);
  const json& played = at(recording_, "shell");
  limits.shell = nullptr;
  if (played.is_object()) {
    Shell shell;
    shell.sandbox.network = at(played, "network") == true;
    shell.is_confined = at(played, "confined") == true;
    if (int_at(played, "timeout_ms") > 0)
      shell.timeout = std::chrono::milliseconds(int_at(played, "timeout_ms"));
    shell.instead = [this](const ShellLine& line, const Shell::Run&) -> Result<SandboxOutcome> {
      const std::string subject = subject_of(line);
      const auto command = commands_.take("line", subject);
      if (command && at(*command, "outcome").contains("error"))
        return std::unexpected(error_in(at(*command, "outcome")));
      if (command) {
        SandboxOutcome outcome = read_as<SandboxOutcome>(at(*command, "outcome"));
        for (SandboxChange& change : outcome.changes.list)  // as if it had run now
          if (change.time_ns > 0) change.time_ns += now_ns() - int_at(*command, "begun_ns");
        return outcome;
      }
      differs("there is no result of the command “" +
              shortened_to(plain_line(subject), kMaxQuoted) + "”");
      return fail(Error::Code::unavailable, "the recording has no result of it");
    };
    limits.shell = std::make_shared<const Shell>(std::move(shell));
  }
  if (at(recording_, "verdicts").is_array()) verdicts_ = std::make_unique<Verdicts>(*this);
  return {*model_, *files_,         user_.get(),  verdicts_.get(),
          limits,  std::move(task), own_profiles, &draft_model_};
}

std::vector<std::string> PlayedWorld::differences(const Outcome& outcome) const {
  std::vector<std::string> all = differences_;
  for (const auto* model : {model_.get(), second_.get()}) {
    if (!model || model->unused() == 0) continue;
    all.push_back(fmt::format("{} of {} answers of {} were not used", model->unused(),
                              model->count(), model == model_.get() ? "the model" : "the second"));
  }
  const json& end = at(recording_, "end");
  if (!end.is_object()) return all;
  if (string_at(end, "end") != name_of(outcome.end))
    all.push_back(fmt::format("it ended as {} instead of {}", name_of(outcome.end),
                              plain_line(string_at(end, "end"))));
  const std::string diff = comparable(diff_of(outcome.files), root_);
  if (diff != string_at(end, "diff"))
    all.push_back("the proposed text differs: " + first_difference(diff, string_at(end, "diff")));
  return all;
}

}  // namespace bodkin
