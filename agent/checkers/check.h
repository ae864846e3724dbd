// One check of a draft, and what stays of a project between checks. For checkers.cpp and check.cpp.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "agent/checkers/checkers.h"
#include "agent/checkers/clangd_files.h"
#include "agent/checkers/compile_commands.h"
#include "agent/context/diagnostics.h"
#include "agent/support/path_text.h"
#include "agent/support/shown_text.h"

namespace bodkin {

inline std::string final_path(const ChangedFile& file) {
  return file.rename_to.value_or(file.path);
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
  std::map<std::string, Server> servers;  // by Group::key
  std::optional<std::map<std::string, FileProblems>> rust_base;
  bool is_rust_built = false;  // for rust_base
  bool has_built_go = false;   // go's cache has the packages as they are
  uint64_t used = 0;
  std::chrono::steady_clock::time_point used_at;
  std::set<std::string> told;  // why a language has no checker
};

class Checkers::Check {
 public:
  Check(const CheckerSettings& settings, Project& project, const CheckRequest& request,
        const Task& task)
      : settings_(settings), project_(project), request_(request), task_(task) {}
  CheckResult run();

 private:
  struct Group {      // the files of the draft that one server checks
    std::string key;  // of the server among those of the project
    ServerCommand command;
    std::vector<ChangedFile> files;
  };
  using Problems = std::map<std::string, FileProblems>;
  struct CheckPass {
    Problems before, after;
  };
  void reread_disk();
  void check_data(const ChangedFile& file);
  bool check_syntax_of(const ChangedFile& file, bool decides);
  std::string database_hint(const Group& group) const;
  void check_quickly(const ChangedFile& file, bool has_server);
  void warm_up(const Group& group);
  void report(const Group& group);
  void take_report(const Group& group, Problems problems);
  void check_group(Group& group);
  void check_rust(Group& group);
  std::set<std::string> rust_files(const Group& group) const;
  void check_go(const Group& group, size_t listed);
  std::string doubt_other_systems(size_t listed);
  void check_go_text(const Group& group);
  bool check_with_go(const Group& group);
  std::vector<std::string> go_modules(const Group& group) const;
  Result<SandboxOutcome> run_go(const std::string& go, const std::vector<std::string>& modules,
                                bool with_draft) const;
  bool misses_header(const Group& group, const FileProblems& problems,
                     const std::string& path) const;
  bool misses_hidden(const Group& group, const std::set<std::string>& asked);
  std::vector<std::string> projects_of(Imports imports) const;
  std::optional<std::string> text_of_project(const std::string& path) const;
  std::string file_of_projects(const Group& group) const;
  bool is_left_out(const Group& group, const std::string& path) const;
  std::string removed_but_named(const Group& group) const;
  std::string missing_of_configurations(const Group& group) const;
  std::string changed_but_left_out(const Group& group) const;
  void check_environment(const Group& group, const Problems& after);
  struct Found {  // so far
    size_t errors = 0, listed = 0;
    std::string reason;
  };
  Found found() const { return {new_errors_, result_.added.size(), result_.reason}; }
  bool is_certain(const Found& before) const;
  struct Compiled {
    bool is_right = false;
    std::string output;
  };
  struct GccRun {  // with the draft
    std::vector<CompileCommands::Command> commands;
    std::vector<std::string> paths;  // of the commands
    std::stop_source stop;
    std::future<Result<std::vector<Compiled>>> after;
    ~GccRun() { stop.request_stop(); }
  };
  std::unique_ptr<GccRun> start_gcc(const std::set<std::string>& units) const;
  void check_with_gcc(GccRun& run, std::set<std::string>& units, const Found& before_clangd);
  Result<std::vector<Compiled>> compile(const std::vector<CompileCommands::Command>& commands,
                                        bool with_draft, const std::stop_token& stop) const;
  bool may_fail_late(const std::set<std::string>& units) const;
  bool check_units(const Group& group, const std::set<std::string>& asked);
  void doubt_errors(const Group& group, size_t listed, size_t errors);
  bool look_at_units(const Group& group, std::set<std::string> units, bool reaches_others);
  bool check_in_parts(const Group& whole, const std::set<std::string>& units);
  void check_unnamed(const Group& whole, const std::set<std::string>& units);
  bool is_unnamed(const std::string& path) const;
  std::string missing_include(const std::string& path) const;
  static Group whole_units_of(const Group& group);
  static bool may_instantiate(const Group& group);
  void keep_concerned(const Group& group, std::vector<std::string>& users);
  void keep_units(std::vector<std::string>& users);
  std::vector<ClangdFile> files_of_clangd() const;
  void add_compiling_units(const std::vector<std::string>& units, std::vector<std::string>& users);
  void add_header_errors(const Group& group);
  Project::Server& server_of(const Group& group);
  Result<CheckPass> check_before_and_after(const Group& group, const std::set<std::string>& asked);
  std::set<std::string> files_to_ask(const Group& group, bool& is_partial);
  Result<Problems> base_of(const Group& group, Project::Server& server,
                           const std::set<std::string>& asked);
  bool changes_what_is_read(const Group& group) const;
  bool needs_view(const Group& group) const;
  LanguageServer::Texts texts_of(const Group& group, const std::set<std::string>& asked,
                                 bool with_draft, std::set<std::string>& files) const;
  Result<Problems> check_in_view(const Group& group, const std::set<std::string>& asked,
                                 bool with_draft);
  Result<Problems> check_draft(const Group& group, const std::set<std::string>& asked);
  SandboxFolder view(bool with_draft) const;
  LanguageServer::Texts buffers_of(const Group& group) const;
  LanguageServer::Texts old_texts(const Group& group) const;
  LanguageServer::Texts draft_texts(const Group& group) const;
  std::optional<Text> disk_text(const std::string& path) const;
  std::optional<Text> text_now(const std::string& path) const;
  std::optional<Text> drafted(const std::string& path) const;
  bool is_as_on_disk(const ChangedFile& file) const;
  void compare_files(const Group& group, const Problems& before, const Problems& after);
  // Whether a module was not found whose package was missing before, too.
  static bool is_missing_package(Imports imports, const Diagnostic& problem,
                                 const std::vector<Diagnostic>& before);
  bool is_plain_script(const std::string& path) const;
  CheckedProblem shown(const Diagnostic& problem, const FileProblems& file,
                       const std::string& path) const;
  void not_checked(const std::string& reason) {
    if (result_.reason.empty()) result_.reason = plain_line(reason);
  }
  std::string full(const std::string& path) const { return join_path(project_.root, path); }
  std::string relative(const std::string& path) const {
    return path.starts_with(project_.root + "/") ? path.substr(project_.root.size() + 1) : path;
  }

  const CheckerSettings& settings_;
  Project& project_;
  const CheckRequest& request_;
  const Task& task_;
  CheckResult result_;
  size_t new_errors_ = 0;
  bool is_late_ = false;  // of C and C++: some errors are found only when code is generated
  std::set<std::tuple<std::string, size_t, std::string>> reported_;
};

}  // namespace bodkin
