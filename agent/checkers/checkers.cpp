#include "agent/checkers/checkers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>

#include "agent/checkers/check.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/linters.h"
#include "agent/checkers/server_choice.h"
#include "agent/checkers/server_view.h"
#include "agent/checkers/silencers.h"
#include "agent/checkers/syntax_check.h"
#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/support/wire_json.h"
#include "grammars/languages.h"
#include "grammars/same_code.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxProjects = 4;                       // whose servers stay warm
constexpr auto kIdleProject = std::chrono::minutes(10);  // after which a project's servers end
constexpr uint64_t kLeastMemory = uint64_t{2} << 30;     // that a server may use on any machine

// A server would see the file under another name.
bool leads_elsewhere(const std::string& path) {
  std::error_code error;
  const auto real = os::canonical(path, error);
  return !error && real != path;
}

// Takes note of changes that others have made to the project since the last check.
void reread_disk(Check& check) {
  const bool has_new_commands = check.project.commands.refresh(check.project.root);
  const auto changes = check.project.files.refresh(check.project.commands.files(), check.task.stop);
  if (changes.empty() && !has_new_commands && !check.project.files.has_new_private()) return;
  std::vector<LanguageServer::DiskChange> list;
  for (const SourceFiles::Change& change : changes)
    list.push_back({check.draft.full(change.path), change.type});
  check.project.rust_base.reset();
  check.project.go_builds.reset();
  for (auto& [name, server] : check.project.servers) {
    server.base.clear();
    if (server.process && check.project.files.has_new_private()) server.process->stop();
    if (server.process) server.process->disk_changed(list);
  }
}

// The files of a draft that one checker looks at.
struct Group {
  ServerCommand command;
  std::vector<ChangedFile> files;
};
using Groups = std::map<std::string, Group>;  // by the key of the server; "": cargo's

// Puts the file into the group of its checker, or reports at once what is already certain.
void sort_in(Check& check, const ChangedFile& file, Groups& groups) {
  const std::string path = file.last_path();
  const Text& text = file.after ? *file.after : *file.before;
  const Language* language = language_of(path, text.line(0));
  if (configures_checks(path) || configures_checks(file.path)) {
    check.found.doubt<doubts::configures>(file.path);
    return;
  }
  if (file.before && leads_elsewhere(check.draft.full(file.path))) {
    check.found.doubt<doubts::link>(file.path);
    return;
  }
  const std::string own_language = language_by_settings(path, check.settings.servers);
  const bool has_own_server =
      !own_language.empty() || (language && !at(check.settings.servers, language->id).is_null());
  if (!has_own_server && is_data(language, path)) {
    const std::string user = check.project.files.user_of_data(file);
    if (!user.empty()) check.found.doubt<doubts::user_of_data>(user, path);
    check_data(file, check.found);
    return;
  }
  if (language && check.request.purpose == CheckRequest::Purpose::compare && file.before &&
      file.after && !file.rename_to && is_same_code(path, *file.before, *file.after)) {
    check.found.judged_by(kByTokens);
    return;
  }
  if (!language && !has_own_server) {
    check.found.doubt<doubts::no_checker>(path);
    return;
  }
  const std::string id = own_language.empty() ? std::string(language->id) : own_language;
  if (id == "rust" && at(check.settings.servers, "rust").is_null() &&
      at(check.settings.servers, "*").is_null()) {
    groups[""].files.push_back(file);
    return;
  }
  auto command = choose_server(id, check.settings.servers, check.project.root,
                               check.settings.trusted, check.request.may_run_folder);
  if (!command) {
    // At length once for a project.
    const bool is_new = check.request.purpose != CheckRequest::Purpose::compare ||
                        check.project.told.insert(command.error().message).second;
    const std::string& why = command.error().message;
    if (is_new)
      check.found.doubt<doubts::no_server>(why);
    else  // without how to install it
      check.found.doubt<doubts::no_server_still>(why.substr(0, why.find(": ")));
    check_quickly(file, check.request, false, check.task.stop, check.found);
    return;
  }
  if (!check.request.servers.empty() && !check.request.servers.contains(command->name)) {
    check.found.doubt<doubts::excluded>(command->name);
    return;
  }
  // The build decides, not what the folder tells an editor to leave out.
  if (command->kind->name == "clangd" && check.project.commands.are_known())
    command->arguments.emplace_back("--enable-config=false");
  // Its name may be that of a program that starts any server.
  const std::string key =
      fmt::format("{} {} {} {}", fmt::join(command->arguments, " "),
                  static_cast<int>(command->imports), command->settings.dump(), own_language);
  Group& group = groups[key];
  group.command = *std::move(command);
  group.command.timeout = check.settings.timeout;
  group.command.sandbox = places_of_server(group.command, check.project.root);
  group.command.sandbox.readable.insert(group.command.sandbox.readable.end(),
                                        check.settings.readable.begin(),
                                        check.settings.readable.end());
  group.files.push_back(file);
}

std::unique_ptr<Checker> checker_of(Check& check, const std::string& key, Group group) {
  if (key.empty()) return cargo_checker(check, std::move(group.files));
  const Imports imports = group.command.imports;
  const auto make = imports == Imports::include ? unit_checker
                    : imports == Imports::go    ? go_checker
                                                : server_checker;
  return make(check, key, std::move(group.command), std::move(group.files));
}

void run_checker(Check& check, const std::string& key, const Group& group) {
  using Purpose = CheckRequest::Purpose;
  if (check.task.stop.stop_requested()) return;
  const size_t count = check.found.result().by.size(), errors = check.found.errors();
  const auto checker = checker_of(check, key, group);
  if (check.request.purpose == Purpose::warm_up) return checker->warm_up();
  if (check.request.purpose == Purpose::report) return checker->report();
  checker->compare();
  for (const ChangedFile& file : group.files) {
    const auto silencer = silencer_of(file, key.empty() ? "rust" : group.command.language);
    if (!silencer) continue;
    check.found.result().is_silenced = true;
    check.found.doubt_first<doubts::silenced>(silencer->line, file.last_path(), silencer->marker);
  }
  // If its server cannot say anything, the syntax still can.
  if (check.found.result().by.size() > count || check.found.errors() > errors) return;
  for (const ChangedFile& file : group.files)
    check_quickly(file, check.request, false, check.task.stop, check.found);
}

CheckResult run(Check& check) {
  reread_disk(check);
  std::future<std::vector<CheckedProblem>> findings;  // a linter takes as long as a server
  if (check.request.purpose == CheckRequest::Purpose::compare)
    findings = std::async(is_thrifty() ? std::launch::deferred : std::launch::async, [&check] {
      return linted(check.request.files, check.project.root,
                    check.settings.trusted && check.request.may_run_folder, check.task.stop);
    });
  Groups groups;
  for (const ChangedFile& file : check.request.files) sort_in(check, file, groups);
  for (const auto& [key, group] : groups) run_checker(check, key, group);
  Findings& found = check.found;
  for (CheckedProblem& finding : findings.valid() ? findings.get() : std::vector<CheckedProblem>())
    found.added().push_back(std::move(finding));
  if (check.task.stop.stop_requested()) found.doubt<doubts::cancelled>();
  using State = CheckResult::State;
  found.result().state = found.errors() > 0               ? State::problems
                         : !found.result().reason.empty() ? State::not_checked
                                                          : State::clean;
  return std::move(found.result());
}

}  // namespace

Checkers::Checkers(CheckerSettings settings) : settings_(std::move(settings)) {}
Checkers::~Checkers() = default;

std::vector<Checkers::ServerUse> Checkers::servers() const {
  std::vector<ServerUse> list;
  for (const auto& [root, project] : projects_)
    for (const auto& [key, server] : project->servers)
      if (server.process && server.process->is_running())
        list.push_back({server.process->name(), root, server.process->use()});
  return list;
}

void Checkers::end_unneeded() {
  const uint64_t bytes = std::max(machine_memory() / 4, kLeastMemory);
  for (auto& [root, project] : projects_) {
    const bool is_idle = project->used_at + kIdleProject < std::chrono::steady_clock::now();
    for (auto& [name, server] : project->servers)
      if (server.process && (is_idle || server.process->use().memory > bytes))
        server.process->stop();
  }
}

CheckResult Checkers::check(const CheckRequest& request, const Task& task) {
  auto& project = projects_[request.root];
  if (!project) project = std::make_unique<CheckedProject>(request.root);
  project->used = ++count_;
  project->used_at = std::chrono::steady_clock::now();
  if (projects_.size() > kMaxProjects) {
    projects_.erase(std::ranges::min_element(projects_, {},
                                             [](const auto& item) { return item.second->used; }));
  }
  Check check{.settings = settings_, .project = *project, .request = request, .task = task};
  return run(check);
}

}  // namespace bodkin
