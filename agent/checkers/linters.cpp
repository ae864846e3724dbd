#include "agent/checkers/linters.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "agent/checkers/installed_servers.h"
#include "agent/checkers/server_view.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/json.h"
#include "agent/support/path_text.h"
#include "agent/support/process.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "edits/plan/diff.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kLinterLimit = 10s;
constexpr size_t kMaxConfiguration = 1 << 20;  // bytes

struct Linter {
  std::string_view name, languages;
  std::string_view configurations;     // files, separated by spaces
  std::string_view shared, section;    // a file that configures others, too, and how it does it
  std::vector<std::string> arguments;  // behind the program, before the file's path
  bool runs_folder = false;            // its configuration is a program
};

const Linter kLinters[] = {
    {"ruff",
     "python",
     "ruff.toml .ruff.toml",
     "pyproject.toml",
     "[tool.ruff",
     {"check", "--quiet", "--no-cache", "--output-format", "json", "-", "--stdin-filename"}},
    {"eslint",
     "javascript typescript typescriptreact",
     "eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts .eslintrc.js "
     ".eslintrc.cjs .eslintrc.json .eslintrc.yaml .eslintrc.yml .eslintrc",
     "package.json",
     "\"eslintConfig\"",
     {"--format", "json", "--stdin", "--stdin-filename"},
     true}};

bool is_configured(const Linter& linter, const std::string& root) {
  std::error_code error;
  for (const std::string& name : words_of_list(linter.configurations))
    if (std::filesystem::exists(join_path(root, name), error)) return true;
  const auto text = read_file(join_path(root, linter.shared), kMaxConfiguration);
  return text && text->contains(linter.section);
}

// From 1.
std::set<int64_t> changed_lines_of(const ChangedFile& file) {
  std::set<int64_t> lines;
  for (const LineChange& edit : line_changes(file.before.value_or(Text()), *file.after)) {
    const size_t first = file.after->line_of(edit.new_offset);
    const auto count = std::max<ptrdiff_t>(std::ranges::count(edit.text, '\n'), 1);
    for (ptrdiff_t i = 0; i < count; ++i) lines.insert(static_cast<int64_t>(first) + 1 + i);
  }
  return lines;
}

void lint(const Linter& linter, const std::string& program, const ChangedFile& file,
          const std::string& root, const std::stop_token& stop,
          std::vector<CheckedProblem>& findings) {
  const std::string path = file.last_path();
  ServerCommand command{.kind = &server_kind(""), .arguments = {program}};
  command.arguments.insert(command.arguments.end(), linter.arguments.begin(),
                           linter.arguments.end());
  command.arguments.push_back(join_path(root, path));
  SandboxFolder folder{.folder = root};
  folder.is_live = true;
  auto walled = sandboxed_server(
      command.arguments, places_of_server(command, root),
      linter.runs_folder ? std::vector<std::string>() : std::vector{search_path({root})}, stop,
      {folder});
  if (!walled) return;
  ProcessRequest request;
  request.arguments = std::move(walled->arguments);
  request.input = walled->first_input + file.after->str();
  request.name = linter.name;
  request.timeout = kLinterLimit;
  const auto outcome = run_process(request, stop);
  const auto said = parse_json(outcome ? outcome->output : "");
  if (!said || !said->is_array()) return;
  const std::set<int64_t> changed = changed_lines_of(file);
  const auto add = [&](int64_t line, const std::string& code, const std::string& message) {
    if (changed.contains(line) && !message.empty())
      findings.push_back({path, static_cast<size_t>(line), Severity::warning, plain_line(code),
                          plain_line(message), std::string(linter.name)});
  };
  for (const json& item : *said) {
    if (const json& place = at(item, "location"); place.is_object())  // ruff
      add(int_at(place, "row"), string_at(item, "code"), string_at(item, "message"));
    for (const json& finding : at(item, "messages"))  // eslint
      add(int_at(finding, "line"), string_at(finding, "ruleId"), string_at(finding, "message"));
  }
}

}  // namespace

std::vector<CheckedProblem> linted(const std::vector<ChangedFile>& files, const std::string& root,
                                   bool may_run, const std::stop_token& stop) {
  std::vector<CheckedProblem> findings;
  if (sandbox_ability().kind == Confinement::none) return findings;
  for (const Linter& linter : kLinters) {
    if ((linter.runs_folder && !may_run) || !is_configured(linter, root)) continue;
    const auto program = find_server(std::string(linter.name), root, may_run);
    if (!program) continue;
    const auto known = words_of_list(linter.languages);
    for (const ChangedFile& file : files) {
      const Language* language = file.after ? language_of(file.path) : nullptr;
      if (language && std::ranges::find(known, language->id) != known.end())
        lint(linter, *program, file, root, stop, findings);
    }
  }
  return findings;
}

}  // namespace bodkin
