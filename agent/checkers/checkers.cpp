#include "agent/checkers/checkers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/compile_commands.h"
#include "agent/checkers/server_choice.h"
#include "agent/context/diagnostics.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMostProjects = 4;      // whose servers stay warm
constexpr size_t kMostReported = 500;    // problems of one check
constexpr size_t kMostText = 16u << 20;  // bytes of a file
constexpr auto kTimeLimit = std::chrono::seconds(120);

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string final_path(const ChangedFile& file) { return file.rename_to.value_or(file.path); }

// Files that say how the others are checked, or what they are built from: a server reads them when
// it starts, from the disk.
bool configures_checks(std::string_view path) {
  static constexpr std::string_view kNames[] = {"compile_commands.json",
                                                "compile_flags.txt",
                                                ".clangd",
                                                "CMakeLists.txt",
                                                "meson.build",
                                                "package.json",
                                                "pyproject.toml",
                                                "pyrightconfig.json",
                                                "setup.cfg",
                                                "setup.py",
                                                "go.mod",
                                                "go.sum",
                                                "go.work",
                                                "Cargo.toml",
                                                "Cargo.lock",
                                                "build.rs",
                                                "Makefile",
                                                "GNUmakefile",
                                                "configure.ac",
                                                ".shellcheckrc"};
  const std::string_view name = name_in(path);
  return std::ranges::find(kNames, name) != std::end(kNames) ||
         (name.starts_with("tsconfig") && name.ends_with(".json")) ||
         (name.starts_with("jsconfig") && name.ends_with(".json")) || name.ends_with(".cmake") ||
         name.ends_with(".mk");
}

// Prose and data: nothing but their syntax can be checked.
bool is_data(const Language* language, std::string_view path) {
  if (language) {
    static constexpr std::string_view kData[] = {"css",  "html", "json", "markdown",
                                                 "toml", "xml",  "yaml"};
    return std::ranges::find(kData, language->id) != std::end(kData);
  }
  const std::string_view name = name_in(path);
  for (const std::string_view extension : {".txt", ".rst", ".adoc", ".csv", ".tsv", ".log", ".po",
                                           ".svg", ".ini", ".cfg", ".properties", ".org", ".tex"})
    if (name.ends_with(extension)) return true;
  return name.find('.') == name.npos || name.starts_with('.')
             ? name == "README" || name == "LICENSE" || name == "COPYING" || name == "CHANGELOG" ||
                   name == "NEWS" || name == "AUTHORS" || name == ".gitignore" ||
                   name == ".gitattributes" || name == ".editorconfig"
             : false;
}

// What the server reports if it could not read all of the unit: nothing is known of the rest.
bool is_incomplete(const Diagnostic& problem) {
  return problem.source == "clang" &&
         (problem.code == "pp_file_not_found" || problem.code == "fatal_too_many_errors" ||
          problem.code.starts_with("drv_") || problem.code.starts_with("err_drv") ||
          problem.code == "pp_file_not_found_angled_include_not_fatal");
}

}  // namespace

std::string_view name_of(CheckResult::State state) {
  switch (state) {
    case CheckResult::State::clean:
      return "clean";
    case CheckResult::State::problems:
      return "problems";
    case CheckResult::State::not_checked:
      break;
  }
  return "not_checked";
}

struct Checkers::Project {
  explicit Project(std::string folder) : root(std::move(folder)), files(root) {}
  struct Server {
    std::unique_ptr<LanguageServer> process;
    // What it said of files as they are on the disk, by absolute path.
    std::map<std::string, FileProblems> base;
  };
  const std::string root;
  SourceFiles files;
  CompileCommands commands;
  std::map<std::string, Server> servers;  // by name
  uint64_t used = 0;
};

class Checkers::Check {
 public:
  Check(const CheckerSettings& settings, Project& project, const CheckRequest& request,
        const Task& task)
      : settings_(settings), project_(project), request_(request), task_(task) {}
  CheckResult run();

 private:
  struct Group {  // the files of the draft that one server checks
    ServerCommand command;
    std::vector<ChangedFile> files;
  };
  using Problems = std::map<std::string, FileProblems>;
  void check_data(const ChangedFile& file);
  void check_group(Group& group);
  std::set<std::string> files_to_ask(const Group& group, bool& is_partial);
  Result<Problems> base_of(Project::Server& server, const std::set<std::string>& asked);
  Result<Problems> look_in_view(const Group& group, const std::set<std::string>& asked,
                                bool with_draft);
  LanguageServer::Texts draft_texts(const Group& group) const;
  std::optional<Text> disk_text(const std::string& path) const;
  void compare_files(const Group& group, const Problems& before, const Problems& after);
  void keep_header_errors(DiagnosticsChange& change, const Group& group, const std::string& path);
  CheckedProblem shown(const Diagnostic& problem, const FileProblems& file,
                       const std::string& path) const;
  void not_checked(std::string reason) {
    if (result_.reason.empty()) result_.reason = plain_line(reason);
  }
  std::string full(const std::string& path) const { return project_.root + "/" + path; }
  std::string relative(const std::string& path) const {
    return path.starts_with(project_.root + "/") ? path.substr(project_.root.size() + 1) : path;
  }

  const CheckerSettings& settings_;
  Project& project_;
  const CheckRequest& request_;
  const Task& task_;
  CheckResult result_;
  size_t new_errors_ = 0;
  std::set<std::tuple<std::string, size_t, std::string>> reported_;
};

std::optional<Text> Checkers::Check::disk_text(const std::string& path) const {
  auto bytes = read_file(path, kMostText);
  if (!bytes) return std::nullopt;
  return Text(*std::move(bytes));
}

void Checkers::Check::check_data(const ChangedFile& file) {
  if (!file.after || !language_of(file.path)) return;
  const auto syntax = make_syntax();
  const auto lines =
      syntax->new_errors(final_path(file), file.before.value_or(Text()), *file.after);
  if (!lines) return;
  if (std::ranges::find(result_.by, "the syntax") == result_.by.end())
    result_.by.push_back("the syntax");
  for (const size_t line : *lines) {
    ++new_errors_;
    result_.added.push_back(
        {final_path(file), line + 1, Severity::error, "", "syntax error", "the syntax"});
  }
}

LanguageServer::Texts Checkers::Check::draft_texts(const Group& group) const {
  LanguageServer::Texts texts;
  for (const ChangedFile& file : group.files)
    if (file.after) texts[full(final_path(file))] = *file.after;
  return texts;
}

// The files whose problems decide: the changed ones, and those that depend on them.
std::set<std::string> Checkers::Check::files_to_ask(const Group& group, bool& is_partial) {
  const ServerKind& kind = *group.command.kind;
  const bool is_clangd = kind.imports == Imports::include;
  std::set<std::string> asked;
  for (const ChangedFile& file : group.files) {
    asked.insert(final_path(file));
    asked.insert(file.path);
  }
  std::vector<std::string> users = project_.files.dependents(kind.imports, group.files);
  std::erase_if(users, [&](const std::string& path) {
    if (!is_clangd) return false;
    return !is_unit(path) || (project_.commands.are_known() && !project_.commands.has(full(path)));
  });
  if (!project_.files.is_complete()) is_partial = true;
  if (users.size() > kind.most_dependents / 2) {
    const std::set<std::string> names = changed_names(group.files);
    std::vector<std::string> concerned;
    for (const std::string& path : users) {
      const auto text = disk_text(full(path));
      if (names.empty() || (text && mentions(text->str(), names))) concerned.push_back(path);
    }
    users = std::move(concerned);
  }
  if (users.size() > kind.most_dependents) {
    is_partial = true;
    std::ranges::stable_partition(users, [&](const std::string& path) {
      return std::ranges::find(request_.open, path) != request_.open.end();
    });
    users.resize(kind.most_dependents);
  }
  asked.insert(users.begin(), users.end());
  return asked;
}

Result<Checkers::Check::Problems> Checkers::Check::base_of(Project::Server& server,
                                                           const std::set<std::string>& asked) {
  Problems result;
  LanguageServer::Texts texts;
  std::set<std::string> missing;
  for (const std::string& path : asked) {
    const std::string file = full(path);
    if (const auto known = server.base.find(file); known != server.base.end()) {
      result[file] = known->second;
      continue;
    }
    auto text = disk_text(file);
    if (!text) continue;  // it is new
    texts[file] = *std::move(text);
    missing.insert(file);
  }
  if (missing.empty()) return result;
  auto looked = server.process->look(texts, missing, task_.stop);
  if (!looked) return std::unexpected(looked.error());
  for (auto& [path, problems] : *looked) {
    server.base[path] = problems;
    result[path] = std::move(problems);
  }
  return result;
}

// For what a server knows from the disk alone: a new one that sees the folder as the draft has it.
Result<Checkers::Check::Problems> Checkers::Check::look_in_view(const Group& group,
                                                                const std::set<std::string>& asked,
                                                                bool with_draft) {
  SandboxFolder view{.folder = project_.root};
  if (with_draft) {
    for (const ChangedFile& file : request_.files) {
      if (!file.after || file.rename_to) view.gone.push_back(file.path);
      if (file.after) view.drafts.push_back({.path = final_path(file), .text = file.after->str()});
    }
  }
  LanguageServer::Texts texts;
  if (with_draft) texts = draft_texts(group);
  std::set<std::string> files;
  for (const std::string& path : asked) {
    const std::string file = full(path);
    const bool is_gone = with_draft && std::ranges::find(view.gone, path) != view.gone.end();
    if (!texts.contains(file) && !is_gone) {
      if (auto text = disk_text(file)) texts[file] = *std::move(text);
    }
    if (texts.contains(file)) files.insert(file);
  }
  LanguageServer server(group.command, project_.root, std::move(view));
  return server.look(texts, files, task_.stop);
}

CheckedProblem Checkers::Check::shown(const Diagnostic& problem, const FileProblems& file,
                                      const std::string& path) const {
  CheckedProblem result{relative(path), problem.lines.begin + 1, problem.severity,
                        problem.code,   problem.message,         problem.source};
  for (size_t i = 0; i < file.list.size(); ++i) {
    if (file.list[i].begin_byte != problem.begin_byte || file.list[i].message != problem.message)
      continue;
    if (const auto place = file.elsewhere.find(i); place != file.elsewhere.end()) {
      result.path = relative(place->second.path);
      result.line = place->second.line + 1;
    }
    break;
  }
  return result;
}

// A header is judged by the units that include it; but clangd skips the bodies of functions there.
// As a document of its own, it has errors that no build has: promoted warnings (of macros that it
// does not use itself), and all that follows if it does not include what it needs.
void Checkers::Check::keep_header_errors(DiagnosticsChange& change, const Group& group,
                                         const std::string& path) {
  const auto is_no_error = [](const Diagnostic& problem) {
    return problem.severity != Severity::error || problem.code.starts_with("-W");
  };
  for (auto* list : {&change.added, &change.fixed, &change.remaining})
    std::erase_if(*list, is_no_error);
  if (change.remaining.empty() && change.fixed.empty()) return;
  not_checked(fmt::format("{} cannot read {} by itself: {}", group.command.name, relative(path),
                          (change.remaining.empty() ? change.fixed : change.remaining)[0].message));
  change = {};
}

void Checkers::Check::compare_files(const Group& group, const Problems& before,
                                    const Problems& after) {
  static const FileProblems kNone;
  const auto of = [](const Problems& problems, const std::string& path) -> const FileProblems& {
    const auto found = problems.find(path);
    return found == problems.end() ? kNone : found->second;
  };
  std::set<std::string> paths;
  for (const auto& [path, problems] : after) paths.insert(path);
  for (const auto& [path, problems] : before) paths.insert(path);
  for (const std::string& path : paths) {
    const ChangedFile* file = nullptr;
    bool is_gone = false;
    for (const ChangedFile& changed : group.files) {
      if (full(final_path(changed)) == path) file = &changed;
      if (full(changed.path) == path && (!changed.after || changed.rename_to)) is_gone = true;
    }
    if (is_gone && !file) continue;
    const std::string old_path = file ? full(file->path) : path;
    std::span<const Replacement> edits;
    if (file) edits = file->edits;
    const FileProblems& old_problems = of(before, old_path);
    const FileProblems& new_problems = of(after, path);
    DiagnosticsChange change = compare(old_problems.list, new_problems.list, edits);
    if (group.command.kind->imports == Imports::include && !is_unit(path))
      keep_header_errors(change, group, path);
    for (const Diagnostic& problem : change.added) {
      const CheckedProblem one = shown(problem, new_problems, path);
      if (!reported_.insert({one.path, one.line, one.message}).second) continue;
      if (problem.severity == Severity::error) ++new_errors_;
      if (result_.added.size() < kMostReported) result_.added.push_back(one);
    }
    for (const Diagnostic& problem : change.fixed)
      if (result_.fixed.size() < kMostReported)
        result_.fixed.push_back(shown(problem, old_problems, old_path));
    for (const Diagnostic& problem : change.remaining) {
      if (problem.severity == Severity::error) ++result_.remaining;
      if (is_incomplete(problem)) {
        not_checked(fmt::format("{} cannot read all of {}: {}", group.command.name, relative(path),
                                problem.message));
      }
    }
  }
}

void Checkers::Check::check_group(Group& group) {
  const ServerKind& kind = *group.command.kind;
  bool is_partial = false;
  const std::set<std::string> asked = files_to_ask(group, is_partial);
  if (kind.imports == Imports::include && std::ranges::none_of(asked, is_unit))
    not_checked(fmt::format("no file that is compiled includes {}", group.files[0].path));
  const bool needs_view = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
    const bool is_created = !file.before || file.rename_to;
    const bool is_removed = !file.after || file.rename_to;
    return (is_created && kind.needs_created_on_disk) || (is_removed && kind.needs_removed_on_disk);
  });
  Result<Problems> before = Problems(), after = Problems();
  if (needs_view) {
    before = look_in_view(group, asked, false);
    if (before) after = look_in_view(group, asked, true);
  } else {
    Project::Server& server = project_.servers[group.command.name];
    if (!server.process)
      server.process = std::make_unique<LanguageServer>(group.command, project_.root);
    before = base_of(server, asked);
    if (before) {
      LanguageServer::Texts texts = draft_texts(group);
      std::set<std::string> files;
      for (const std::string& path : asked) {
        const std::string file = full(path);
        if (!texts.contains(file)) {
          const bool is_gone = std::ranges::any_of(group.files, [&](const ChangedFile& changed) {
            return changed.path == path && (!changed.after || changed.rename_to);
          });
          auto text = disk_text(file);
          if (!text || is_gone) continue;
          texts[file] = *std::move(text);
        }
        files.insert(file);
      }
      after = server.process->look(texts, files, task_.stop);
    }
  }
  if (!before) return not_checked(before.error().message);
  if (!after) return not_checked(after.error().message);
  compare_files(group, *before, *after);
  result_.by.push_back(group.command.name);
  if (is_partial) {
    not_checked(fmt::format("too many files depend on {}; {} of them were checked",
                            group.files[0].path, asked.size()));
  }
}

CheckResult Checkers::Check::run() {
  std::map<std::string, Group> groups;  // by the server's name
  for (const ChangedFile& file : request_.files) {
    const std::string path = final_path(file);
    const Text& text = file.after ? *file.after : *file.before;
    const Language* language = language_of(path, text.line(0));
    if (configures_checks(path) || configures_checks(file.path)) {
      not_checked(fmt::format("{} configures how the project is checked", file.path));
      continue;
    }
    if (is_data(language, path)) {
      check_data(file);
      continue;
    }
    if (!language) {
      not_checked(fmt::format("no server for {}", path));
      continue;
    }
    auto command = choose_server(language->id, settings_.servers, project_.root, settings_.trusted);
    if (!command) {
      not_checked(command.error().message);
      continue;
    }
    if (!request_.servers.empty() && !request_.servers.contains(command->name)) {
      not_checked(fmt::format("{} was not to be used", command->name));
      continue;
    }
    Group& group = groups[command->name];
    group.command = *std::move(command);
    group.files.push_back(file);
  }
  if (!groups.empty()) {
    const auto changes = project_.files.refresh(task_.stop);
    const bool has_new_commands = project_.commands.refresh(project_.root);
    if (!changes.empty() || has_new_commands) {
      std::vector<LanguageServer::DiskChange> list;
      for (const SourceFiles::Change& change : changes)
        list.push_back({full(change.path), change.type});
      for (auto& [name, server] : project_.servers) {
        server.base.clear();
        if (server.process) server.process->disk_changed(list);
      }
    }
  }
  for (auto& [name, group] : groups) {
    if (task_.stop.stop_requested()) break;
    check_group(group);
  }
  if (task_.stop.stop_requested()) not_checked("cancelled");
  using State = CheckResult::State;
  result_.state = new_errors_ > 0           ? State::problems
                  : !result_.reason.empty() ? State::not_checked
                                            : State::clean;
  return std::move(result_);
}

Checkers::Checkers(CheckerSettings settings) : settings_(std::move(settings)) {}
Checkers::~Checkers() = default;

CheckResult Checkers::check(const CheckRequest& request, const Task& task) {
  auto& project = projects_[request.root];
  if (!project) project = std::make_unique<Project>(request.root);
  project->used = ++count_;
  if (projects_.size() > kMostProjects) {
    projects_.erase(std::ranges::min_element(projects_, {},
                                             [](const auto& item) { return item.second->used; }));
  }
  return Check(settings_, *project, request, task).run();
}

}  // namespace bodkin
