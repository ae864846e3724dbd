// GoChecker: go itself decides, with `go build`, and `go vet` for the tests: it looks at all
// packages, and go/types, which gopls asks, accepts what the compiler does not (functions without a
// body, misplaced directives, a program without main). gopls is asked about the changed files
// alone: it finds most errors at once, and all of those that bodies alone can have.

#include <algorithm>
#include <filesystem>

#include "agent/ask/output_problems.h"
#include "agent/checkers/imports.h"
#include "agent/checkers/plain_edits.h"
#include "agent/checkers/server_checker.h"
#include "agent/checkers/server_view.h"
#include "agent/platform/paths.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/process.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kGoLimit = 120s;
constexpr std::string_view kGoMark = "@files";

// Builds, with the tests, each of the folders that are its arguments; then the files that are
// compiled.
constexpr std::string_view kGoScript = R"(go=$1; shift
for folder; do
  cd "$folder" || exit 3
  "$go" build -o /dev/null ./... 2>&1 || failed=1
  "$go" vet -framepointer ./... 2>&1 || failed=1
done
echo @files
for folder; do
  cd "$folder" || exit 3
  "$go" list -e -f '{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .CgoFiles}}{{$d}}/{{.}}
{{end}}{{range .TestGoFiles}}{{$d}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}
{{end}}' ./... 2>/dev/null
done
exit ${failed:-0})";

const ServerKind& go_kind() { return server_kind("gopls"); }

// To stamp a program, go asks git, which runs commands of the folder's configuration.
std::string with_no_git(const std::string& flags) {
  return flags + (flags.empty() ? "" : " ") + "-buildvcs=false";
}

// The line that says for which builds the file is; empty: for all.
std::string constraint_of(const Text& text) {
  for (size_t i = 0; i < text.line_count(); ++i) {
    std::string line = text.line(i);
    if (line.starts_with("//go:build") || line.starts_with("// +build")) return line;
    if (line.starts_with("package ")) break;
  }
  return "";
}

// The first word after one of go.mod's.
std::string module_named_in(const std::string& go_mod) {
  std::string module;
  each_line(go_mod, [&](std::string_view line) {
    if (module.empty() && line.starts_with("module ")) module = trimmed(line.substr(7));
  });
  std::erase(module, '"');
  return module;
}

std::string first_line_of(const std::string& output) {
  std::string first;
  each_line(output, [&](std::string_view line) {
    if (first.empty() && !line.empty() && !line.starts_with('#')) first = line;
  });
  return first;
}

class GoChecker : public ServerChecker {
 public:
  using ServerChecker::ServerChecker;

 protected:
  bool look(const std::set<std::string>& asked) override;

 private:
  std::vector<std::string> modules() const;
  Result<SandboxOutcome> run_go(const std::string& go, const std::vector<std::string>& modules,
                                bool with_draft) const;
  bool check_with_go();
  bool builds_as_it_is(const std::string& go, const std::vector<std::string>& folders);
  bool is_enough_for_gopls();
  bool is_of_other_build(const CheckedProblem& problem) const;
};

// The folders, absolute, of the modules that the files belong to, and of those that require these.
std::vector<std::string> GoChecker::modules() const {
  std::map<std::string, std::string> texts;  // of each go.mod, by its folder
  for (const std::string& path : project_.files.named("go.mod")) {
    const auto text = draft_.text_now(path);
    if (text) texts[std::string(folder_part(path))] = text->str();
  }
  std::vector<std::string> folders, names;
  const auto add = [&](const std::string& folder) {
    if (std::ranges::find(folders, folder) != folders.end()) return;
    folders.push_back(folder);
    names.push_back(module_named_in(texts[folder]));
  };
  for (const ChangedFile& file : server_.files) {
    for (const std::string& path : {file.path, file.last_path()}) {
      for (std::string_view folder = folder_part(path);; folder = folder_part(folder)) {
        if (texts.contains(std::string(folder))) add(std::string(folder));
        if (folder.empty() || texts.contains(std::string(folder))) break;
      }
    }
  }
  for (size_t i = 0; i < names.size(); ++i) {
    for (const auto& [folder, text] : texts)
      if (!names[i].empty() && text.contains(names[i])) add(folder);
  }
  for (std::string& folder : folders) folder = folder.empty() ? project_.root : draft_.full(folder);
  return folders;
}

Result<SandboxOutcome> GoChecker::run_go(const std::string& go,
                                         const std::vector<std::string>& modules,
                                         bool with_draft) const {
  SandboxRun run;
  run.command = {"sh", "-c", std::string(kGoScript), "sh", go};
  run.command.insert(run.command.end(), modules.begin(), modules.end());
  run.name = "go build";
  run.settings.environment = words_of_list(go_kind().variables);
  run.settings.oldest_search = kOldSearch;
  for (const std::string& fixed : words_of_list(go_kind().fixed_variables))
    run.command.insert(run.command.begin(), fixed);
  const char* const flags = os::getenv("GOFLAGS");
  run.command.insert(run.command.begin(), "GOFLAGS=" + with_no_git(flags ? flags : ""));
  run.command.insert(run.command.begin(), "env");
  run.settings.readable = settings_.readable;
  add_named_places(run.settings, go_kind().variables);
  run.folders = {draft_.view(with_draft)};
  run.timeout = kGoLimit;
  auto outcome = run_in_sandbox(run, task_.stop);
  if (outcome && !outcome->ended.empty())
    return fail(Error::Code::unavailable, "go build: " + outcome->ended);
  return outcome;
}

// Whether go builds what the disk has. What is written in the sandbox is lost: so that not all is
// compiled each time, the packages as they are come into go's own cache once.
bool GoChecker::builds_as_it_is(const std::string& go, const std::vector<std::string>& folders) {
  if (project_.go_builds) return *project_.go_builds;
  ProcessRequest request;
  request.arguments = {"/bin/sh", "-c", std::string(kGoScript), "sh", go};
  request.arguments.insert(request.arguments.end(), folders.begin(), folders.end());
  request.name = "go build";
  request.folder = project_.root;
  request.also_variables = words_of_list(go_kind().variables);
  request.set_variables = words_of_list(go_kind().fixed_variables);
  request.set_variables.push_back("GOFLAGS=" + with_no_git(go_flags_that_write_nothing()));
  request.timeout = kGoLimit;
  const auto outcome = run_process(request, task_.stop);
  project_.go_builds = outcome && outcome->exit_code == 0;
  return *project_.go_builds;
}

// Whether go has judged the draft.
bool GoChecker::check_with_go() {
  const auto go = find_program("go", {project_.root});
  const std::vector<std::string> folders = modules();
  if (!go || sandbox_ability().kind == Confinement::none) return false;
  (void)builds_as_it_is(*go, folders);
  const auto after = run_go(*go, folders, true);
  if (!after) return false;
  const size_t mark = after->output.find(kGoMark);
  if (mark == std::string::npos) return false;
  const std::string said = after->output.substr(0, mark);
  if (after->exit_code != 0) {
    const auto before = run_go(*go, folders, false);
    if (!before) return false;
    const std::string old = before->output.substr(0, before->output.find(kGoMark));
    // It cannot build here at all: packages are missing, or the module is broken.
    if (problems_in(said).empty() && before->exit_code != 0) {
      found_.doubt<doubts::go_does_not_work>(first_line_of(old));
      return false;
    }
    std::vector<CheckedProblem> errors = new_errors_in(old, said);
    for (CheckedProblem& problem : errors) {
      // It names files by the folder that it runs in.
      for (const std::string& module : folders) {
        const std::string path = draft_.relative(
            (std::filesystem::path(module) / problem.path).lexically_normal().generic_string());
        std::error_code error;
        const bool is_changed = std::ranges::any_of(
            server_.files, [&](const ChangedFile& file) { return file.last_path() == path; });
        if (!is_changed && !std::filesystem::exists(draft_.full(path), error)) continue;
        problem.path = path;
        break;
      }
      problem.source = "go build";
      if (found_.has_error_at(problem.path, problem.line)) continue;    // go vet says it again
      std::erase_if(found_.added(), [&](const CheckedProblem& other) {  // gopls's
        return other.path == problem.path && other.line == problem.line;
      });
      found_.add(std::move(problem));
    }
    if (errors.empty() && before->exit_code == 0) {
      const std::string message = first_line_of(said);
      if (message.contains("undeclared") || message.contains("not defined")) {  // by the linker
        found_.add({server_.files[0].path, 1, Severity::error, "", message, "go build"});
      } else {
        found_.doubt<doubts::go_rejects>(message);
      }
    } else if (errors.empty()) {
      found_.doubt<doubts::go_failed_before>();
    }
  }
  found_.judged_by("go build");
  const std::string files = after->output.substr(mark);
  for (const ChangedFile& file : server_.files) {
    if (file.after && !files.contains("\n" + draft_.full(file.last_path()) + "\n"))
      found_.doubt<doubts::go_leaves_out>(file.last_path());
  }
  return true;
}

// gopls may be older than the language, and also looks at files for other systems ("undefined: x
// [windows]"), and at those of no package.
bool GoChecker::is_of_other_build(const CheckedProblem& problem) const {
  const auto text = draft_.text_then(problem.path);
  return problem.message.contains("requires go1.") || problem.message.contains("cannot be alias") ||
         problem.message.ends_with(']') || (text && !constraint_of(*text).empty());
}

// Whether what the draft changes is compiled in every build, and go/types knows all of its rules:
// the bodies of functions, in the one module of the folder, in which nothing else is wrong, as what
// has an error elsewhere may have any type.
bool GoChecker::is_enough_for_gopls() {
  const auto go = find_program("go", {project_.root});
  const std::vector<std::string> folders = modules();
  if (!go || !settings_.trusted || folders.size() != 1 || !server_.buffers().empty() ||
      project_.files.named("go.mod").size() != 1 || !project_.files.named("go.work").empty())
    return false;
  const bool are_bodies = std::ranges::all_of(server_.files, [&](const ChangedFile& file) {
    std::string_view stem = last_part(file.path);
    if (stem.ends_with("_test.go")) stem.remove_suffix(8);
    // "_linux.go", "testdata/", "_old/": of other builds, or of none.
    return draft_.is_as_on_disk(file) && changes_bodies_alone(file) &&
           stem.find('_') == stem.npos && !stem.starts_with('.') && !file.path.contains("/_") &&
           !file.path.contains("/.") && !("/" + file.path).contains("/testdata/") &&
           !file.path.starts_with('_') && constraint_of(*file.after).empty() &&
           !file.after->str().contains("import \"C\"") && !file.after->str().contains("\t\"C\"") &&
           std::ranges::none_of(
               file.edits, [](const Replacement& edit) { return edit.text.contains("//go:"); });
  });
  return are_bodies && builds_as_it_is(*go, folders);
}

bool GoChecker::look(const std::set<std::string>& asked) {
  const bool may_build = settings_.trusted && !modules().empty();
  std::string failure;  // of gopls
  bool is_certain = false;
  is_asked_ = !may_build || !server_.needs_view();
  if (is_asked_) {
    const size_t listed = found_.mark().listed;
    const auto looked = server_.both(asked);
    if (looked) {
      compare_files(looked->before, looked->after);
      is_certain = std::ranges::all_of(looked->after, [](const auto& file) {
        return std::ranges::none_of(file.second.list, [](const Diagnostic& problem) {
          return problem.severity == Severity::error;
        });
      });
    } else {
      failure = looked.error().message;
    }
    is_asked_ = looked.has_value();
    for (size_t i = listed; i < found_.added().size(); ++i) {
      CheckedProblem& problem = found_.added()[i];
      if (problem.severity == Severity::error && is_of_other_build(problem)) found_.weaken(problem);
    }
    if (found_.errors() > 0) return true;
    if (is_certain && found_.result().reason.empty() && is_enough_for_gopls()) return true;
  }
  const bool is_known = may_build && check_with_go();
  if (found_.errors() > 0) return true;
  if (!is_known && !failure.empty()) found_.doubt<doubts::failed>(failure);
  if (!is_known)
    found_.doubt<doubts::needs_go>(server_.files[0].path,
                                   !settings_.trusted  ? "runs only in a trusted folder"
                                   : modules().empty() ? "needs a go.mod: go mod init"
                                   : sandbox_ability().kind == Confinement::none
                                       ? "needs a sandbox, which this machine has not"
                                       : "could not be run");
  return true;
}

}  // namespace

std::unique_ptr<Checker> go_checker(Check& check, std::string key, ServerCommand command,
                                    std::vector<ChangedFile> files) {
  return std::make_unique<GoChecker>(check, std::move(key), std::move(command), std::move(files));
}

}  // namespace bodkin
