// gopls publishes for one view of the folder after the other, and asks go/types, which accepts what
// the compiler does not. So where go may run, it confirms what seems clean: `go build`, and `go
// vet` for the tests. Elsewhere what go build alone refuses is looked for in the text: functions
// without a body, compiler directives in the wrong place, a program without main.
//
// More than 350 lines: what Go refuses in its text and what its program says are one verdict.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "agent/checkers/check.h"
#include "agent/checkers/imports.h"
#include "agent/checkers/server_view.h"
#include "agent/sandbox/output_problems.h"
#include "agent/support/process.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

struct GoRefusal {
  size_t line = 0;  // from 0
  std::string about, message;
};

std::string without_comment(std::string line) {
  for (const std::string_view type : {"interface{}", "struct{}"})
    for (size_t at = line.find(type); at != line.npos; at = line.find(type, at))
      line.erase(at, type.size());
  return std::string(trimmed(std::string_view(line).substr(0, line.find("//"))));
}

bool begins_declaration(std::string_view line) {
  return !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != ')' && line[0] != '}';
}

// Functions that are only declared, and directives that are not above what they are about.
std::vector<GoRefusal> refusals_in(const Text& text) {
  static constexpr std::array<std::string_view, 6> kOfFunctions = {
      "//go:noinline", "//go:nosplit",    "//go:noescape",
      "//go:norace",   "//go:nocheckptr", "//go:uintptrescapes"};
  std::vector<GoRefusal> found;
  const size_t count = text.line_count();
  bool is_linked = false;
  for (size_t i = 0; i < count; ++i) {
    const std::string line = text.line(i);
    if (line.starts_with("//go:")) {
      const std::string directive = line.substr(0, line.find_first_of(" \t"));
      is_linked = is_linked || directive == "//go:linkname";
      const bool is_of_function = std::ranges::find(kOfFunctions, directive) != kOfFunctions.end();
      if (!is_of_function && directive != "//go:embed") continue;
      size_t next = i + 1;
      while (next < count &&
             (text.line(next).starts_with("//") || trimmed(text.line(next)).empty()))
        ++next;
      const std::string below = next < count ? text.line(next) : "";
      if (!below.starts_with(is_of_function ? "func" : "var"))
        found.push_back({i, line + below, "misplaced compiler directive"});
      continue;
    }
    if (line.starts_with("func ") && !is_linked) {
      size_t end = i + 1;
      while (end < count && !begins_declaration(text.line(end))) ++end;
      bool has_body = end < count && text.line(end).starts_with("{");
      for (size_t at = i; at < end; ++at)
        has_body = has_body || without_comment(text.line(at)).contains('{');
      if (!has_body) found.push_back({i, line, "missing function body"});
    }
    if (begins_declaration(line) && !line.starts_with("//")) is_linked = false;
  }
  return found;
}

bool is_of_program(const Text& text) {
  for (size_t i = 0; i < text.line_count(); ++i)
    if (text.line(i).starts_with("package "))
      return without_comment(text.line(i)) == "package main";
  return false;
}

bool has_main(const Text& text) {
  for (size_t i = 0; i < text.line_count(); ++i)
    if (text.line(i).starts_with("func main()")) return true;
  return false;
}

bool has_embed(std::string_view text) { return text.contains("//go:embed"); }

bool has_assembly(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".s") return true;
  return false;
}

using namespace std::chrono_literals;

constexpr auto kGoLimit = 120s;
constexpr std::string_view kGoMark = "@files";
constexpr std::string_view kGoVariables =
    "GOPATH GOROOT GOCACHE GOMODCACHE GOFLAGS CGO_ENABLED GOOS GOARCH";
constexpr std::string_view kGoFixed = "GOPROXY=off GOTOOLCHAIN=local GOTELEMETRY=off";

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

// To stamp a program, go asks git, which runs what the folder's configuration says.
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

bool has_constraint(const Text& text) { return !constraint_of(text).empty(); }

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

std::string unnumbered_go(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

}  // namespace

// The folders, absolute, of the modules that the files belong to, and of those that require these.
std::vector<std::string> Checkers::Check::go_modules(const Group& group) const {
  std::map<std::string, std::string> texts;  // of each go.mod, by its folder
  for (const std::string& path : project_.files.named("go.mod")) {
    const auto text = text_now(path);
    if (text) texts[std::string(folder_of(path))] = text->str();
  }
  std::vector<std::string> folders, modules;
  const auto add = [&](const std::string& folder) {
    if (std::ranges::find(folders, folder) != folders.end()) return;
    folders.push_back(folder);
    modules.push_back(module_named_in(texts[folder]));
  };
  for (const ChangedFile& file : group.files) {
    for (const std::string& path : {file.path, final_path(file)}) {
      for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
        if (texts.contains(std::string(folder))) add(std::string(folder));
        if (folder.empty() || texts.contains(std::string(folder))) break;
      }
    }
  }
  for (size_t i = 0; i < modules.size(); ++i) {
    for (const auto& [folder, text] : texts)
      if (!modules[i].empty() && text.contains(modules[i])) add(folder);
  }
  for (std::string& folder : folders) folder = folder.empty() ? project_.root : full(folder);
  return folders;
}

Result<SandboxOutcome> Checkers::Check::run_go(const std::string& go,
                                               const std::vector<std::string>& modules,
                                               bool with_draft) const {
  SandboxRun run;
  run.command = {"sh", "-c", std::string(kGoScript), "sh", go};
  run.command.insert(run.command.end(), modules.begin(), modules.end());
  run.name = "go build";
  run.settings.environment = words_of_list(kGoVariables);
  for (const std::string& fixed : words_of_list(kGoFixed))
    run.command.insert(run.command.begin(), fixed);
  const char* const flags = std::getenv("GOFLAGS");
  run.command.insert(run.command.begin(), "GOFLAGS=" + with_no_git(flags ? flags : ""));
  run.command.insert(run.command.begin(), "env");
  run.settings.readable = settings_.readable;
  for (const char* variable : {"GOROOT", "GOMODCACHE"})
    if (const char* folder = std::getenv(variable); folder && folder[0] == '/')
      run.settings.readable.emplace_back(folder);
  // The packages, not the sources of other projects.
  if (const char* folder = std::getenv("GOPATH"); folder && folder[0] == '/')
    run.settings.readable.push_back(std::string(folder) + "/pkg");
  if (const char* folder = std::getenv("GOCACHE"); folder && folder[0] == '/')
    run.settings.caches.emplace_back(folder);
  run.folders = {view(with_draft)};
  run.timeout = kGoLimit;
  auto outcome = run_in_sandbox(run, task_.stop);
  if (outcome && !outcome->ended.empty())
    return fail(Error::Code::unavailable, "go build: " + outcome->ended);
  return outcome;
}

// Whether go has judged the draft, which gopls has found clean.
bool Checkers::Check::check_with_go(const Group& group) {
  const auto go = find_program("go", {project_.root});
  const std::vector<std::string> modules = go_modules(group);
  if (!settings_.trusted || !go || modules.empty()) return false;
  // What is written in the sandbox is lost. So that not all is compiled each time, the packages as
  // they are come into go's own cache once.
  if (!project_.has_built_go) {
    project_.has_built_go = true;
    ProcessRequest request;
    request.arguments = {"sh", "-c", std::string(kGoScript), "sh", *go};
    request.arguments.insert(request.arguments.end(), modules.begin(), modules.end());
    request.arguments[0] = "/bin/sh";
    request.name = "go build";
    request.folder = project_.root;
    request.also_variables = words_of_list(kGoVariables);
    request.set_variables = words_of_list(kGoFixed);
    request.set_variables.push_back("GOFLAGS=" + with_no_git(go_flags_that_write_nothing()));
    request.timeout = kGoLimit;
    (void)run_process(request, task_.stop);
  }
  const auto after = run_go(*go, modules, true);
  if (!after) return false;
  const size_t mark = after->output.find(kGoMark);
  if (mark == std::string::npos) return false;
  std::vector<CheckedProblem> errors = problems_in(after->output.substr(0, mark));
  if (after->exit_code != 0) {
    const auto before = run_go(*go, modules, false);
    if (!before) return false;
    // It cannot build here at all: packages are missing, or the module is broken.
    const auto old = problems_in(before->output.substr(0, before->output.find(kGoMark)));
    if (errors.empty() && before->exit_code != 0) {
      not_checked("go build does not work in this folder: " +
                  first_line_of(before->output.substr(0, before->output.find(kGoMark))));
      return false;
    }
    std::multiset<std::string> known;
    for (const CheckedProblem& problem : old) known.insert(unnumbered_go(problem.message));
    size_t count = 0;
    for (CheckedProblem& problem : errors) {
      if (const auto same = known.find(unnumbered_go(problem.message)); same != known.end()) {
        known.erase(same);
        continue;
      }
      ++count;
      // It names files by the folder that it runs in.
      for (const std::string& module : modules) {
        const std::string path =
            relative((std::filesystem::path(module) / problem.path).lexically_normal().string());
        std::error_code error;
        const bool is_changed = std::ranges::any_of(
            group.files, [&](const ChangedFile& file) { return final_path(file) == path; });
        if (!is_changed && !std::filesystem::exists(full(path), error)) continue;
        problem.path = path;
        break;
      }
      problem.severity = Severity::error;
      problem.source = "go build";
      if (std::ranges::any_of(result_.added, [&](const CheckedProblem& other) {
            return other.severity == Severity::error && other.path == problem.path &&
                   other.line == problem.line;
          }))
        continue;                                                      // go vet says it again
      std::erase_if(result_.added, [&](const CheckedProblem& other) {  // gopls's, doubted
        return other.source == "compiler" && other.path == problem.path &&
               other.line == problem.line;
      });
      ++new_errors_;
      result_.added.push_back(std::move(problem));
    }
    if (count == 0 && before->exit_code == 0) {
      check_go_text(group);  // of the program as a whole, it names no place
      if (new_errors_ == 0) not_checked("go build rejects the draft");
    } else if (count == 0) {
      not_checked("go build failed before the draft, so what depends on that was not checked");
    }
  }
  result_.by.emplace_back("go build");
  const std::string files = after->output.substr(mark);
  for (const ChangedFile& file : group.files) {
    if (file.after && !files.contains("\n" + full(final_path(file)) + "\n"))
      not_checked(fmt::format("go build does not compile {} here", final_path(file)));
  }
  return true;
}

// Of the errors behind the first ones, those that the build here need not have: gopls also looks at
// what is for other systems ("undefined: x [windows]"), and at files that belong to no package. The
// first of them, as a sentence; empty: there is none.
std::string Checkers::Check::doubt_other_systems(size_t listed) {
  std::string reason;
  for (size_t i = listed; i < result_.added.size(); ++i) {
    CheckedProblem& problem = result_.added[i];
    if (problem.severity != Severity::error) continue;
    const size_t open = problem.message.rfind(" [");
    const bool is_of_other =
        problem.source == "compiler" && problem.message.ends_with(']') &&
        open != std::string::npos &&
        problem.message.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789,", open + 2) ==
            problem.message.size() - 1;
    const auto draft = drafted(problem.path);
    const auto text = draft ? draft : text_now(problem.path);
    const std::string constraint = text ? constraint_of(*text) : "";
    const bool is_left_out = constraint == "//go:build ignore";
    // Where go may run, it says whether it compiles the file.
    if (!is_of_other && !is_left_out && (constraint.empty() || !settings_.trusted)) continue;
    problem.severity = Severity::warning;
    --new_errors_;
    if (reason.empty())
      reason = fmt::format("{} may not be compiled here, and gopls finds an error in it: {}",
                           problem.path, problem.message);
  }
  return reason;
}

void Checkers::Check::check_go(const Group& group, size_t listed) {
  const std::string doubted = doubt_other_systems(listed);
  const bool is_known = new_errors_ == 0 && check_with_go(group);
  if (new_errors_ == 0 && !doubted.empty()) not_checked(doubted);
  if (is_known) return;
  check_go_text(group);
  const bool has_views = project_.files.named("go.mod").size() > 1 ||
                         std::ranges::any_of(group.files, [](const ChangedFile& file) {
                           return (file.before && has_constraint(*file.before)) ||
                                  (file.after && has_constraint(*file.after));
                         });
  if (new_errors_ == 0 && has_views)
    not_checked(fmt::format(
        "gopls sees {} in several build configurations, and go build {}", group.files[0].path,
        settings_.trusted ? "could not be run" : "runs only in a trusted folder"));
}

void Checkers::Check::check_go_text(const Group& group) {
  const auto add = [&](const std::string& path, size_t line, const std::string& message) {
    ++new_errors_;
    result_.added.push_back({path, line + 1, Severity::error, "", message, "go build"});
  };
  std::set<std::string> folders;
  for (const ChangedFile& file : group.files) {
    const std::string path = final_path(file);
    folders.emplace(folder_of(file.path));
    folders.emplace(folder_of(path));
    if (!file.after) continue;
    if (file.after->str().contains("import \"C\""))
      not_checked(fmt::format("only go build can check the C that {} imports", path));
    std::vector<GoRefusal> old;
    if (file.before) old = refusals_in(*file.before);
    for (const GoRefusal& refusal : refusals_in(*file.after)) {
      const bool is_old = std::ranges::any_of(
          old, [&](const GoRefusal& other) { return other.about == refusal.about; });
      const bool may_be_elsewhere = refusal.message.starts_with("missing") &&
                                    has_assembly(full(std::string(folder_of(path))));
      if (!is_old && !may_be_elsewhere) add(path, refusal.line, refusal.message);
    }
    for (const Replacement& edit : file.edits)
      if (has_embed(edit.text))
        not_checked(fmt::format("only go build can check what {} embeds", path));
  }
  for (const std::string& folder : folders) {
    bool was_program = false, had_main = false, is_program = false, runs = false;
    std::string first;
    const auto count = [&](const Text& text, bool& program, bool& main) {
      if (!is_of_program(text)) return;
      program = true;
      main = main || has_main(text);
    };
    const auto is_here = [&](const std::string& path) {
      return folder_of(path) == folder && !path.ends_with("_test.go");
    };
    for (const ChangedFile& file : group.files) {
      if (file.before && is_here(file.path)) count(*file.before, was_program, had_main);
      if (!file.after || !is_here(final_path(file))) continue;
      count(*file.after, is_program, runs);
      first = final_path(file);
    }
    for (const std::string& path : project_.files.all_of(Imports::go)) {
      const bool is_changed = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
        return file.path == path || final_path(file) == path;
      });
      const auto text = is_changed || !is_here(path) ? std::nullopt : text_now(path);
      if (!text) continue;
      count(*text, was_program, had_main);
      count(*text, is_program, runs);
      if (first.empty() && is_of_program(*text)) first = path;
    }
    if (is_program && !runs && (had_main || !was_program))
      add(first, 0, "function main is undeclared in the main package");
  }
}

}  // namespace bodkin
