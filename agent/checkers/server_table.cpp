#include "agent/checkers/server_table.h"

#include "edits/plan/paths.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

// Decides: which language server checks a language, and how it is believed.
constexpr ServerKind kKinds[] = {
    // Its index would be written into the project. Headers are read from the disk unless told
    // otherwise; clang-tidy's findings are not compile errors.
    {.name = "clangd",
     .languages = "c cpp objective-c objective-cpp cuda-cpp",
     .commands = "clangd --background-index=false --use-dirty-headers --clang-tidy=false "
                 "--pch-storage=memory --log=error -j=2",
     .extensions = "../../.config/Code/User/globalStorage/llvm-vs-code-extensions.vscode-clangd/"
                   "install/*/*/bin/clangd --background-index=false --use-dirty-headers "
                   "--clang-tidy=false --pch-storage=memory --log=error -j=2",
     .reporting = Reporting::clangd,
     .imports = Imports::include,
     .options = R"({"clangdFileStatus": true})",
     .readable = "~/.config/clangd"},
    {.name = "pyright",
     .languages = "python",
     .commands = "basedpyright-langserver --stdio|pyright-langserver --stdio",
     .extensions = "detachhead.basedpyright-*/dist/server.js --stdio|"
                   "ms-pyright.pyright-*/dist/server.js --stdio",
     .reporting = Reporting::pull,
     .imports = Imports::python,
     .needs_created_on_disk = true,
     .most_dependents = 100,
     .settings = R"({
       "python": {"analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": true}},
       "python.analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": true},
       "basedpyright.analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": true}})",
     .variables = "VIRTUAL_ENV",
     .readable = "~/.cache/pyright-python"},  // what pip installs keeps the server there
    // Downloading types would write, and use the network.
    {.name = "typescript-language-server",
     .languages = "typescript typescriptreact javascript javascriptreact",
     .commands = "typescript-language-server --stdio|vtsls --stdio",
     .reporting = Reporting::tsserver,
     .imports = Imports::script,
     .most_dependents = 200,
     .options = R"({"disableAutomaticTypingAcquisition": true, "hostInfo": "bodkin",
                    "tsserver": {"useSyntaxServer": "never"}})",
     .settings = R"({"implicitProjectConfiguration": {"checkJs": true}})"},
    {.name = "gopls",
     .languages = "go",
     .commands = "gopls -mode=stdio",
     .reporting = Reporting::versions,
     .imports = Imports::go,
     .needs_created_on_disk = true,
     .needs = "go",
     .options = R"({"diagnosticsDelay": "0s", "analysisProgressReporting": false,
                    "staticcheck": false})",
     .settings = R"({"gopls": {"diagnosticsDelay": "0s"}})",
     .variables = "GOPATH GOROOT GOCACHE GOMODCACHE GOFLAGS CGO_ENABLED GOOS GOARCH",
     .readable = "~/.config/go",
     .fixed_variables = "GOPROXY=off GOTOOLCHAIN=local GOTELEMETRY=off"},
    {.name = "bash-language-server",
     .languages = "shellscript",
     .commands = "bash-language-server start",
     .extensions = "mads-hartmann.bash-ide-vscode-*/out/server.js --stdio",
     .reporting = Reporting::versions,
     .needs_removed_on_disk = false,
     .needs = "shellcheck",
     .settings = R"({"bashIde": {"shellcheckPath": "shellcheck", "backgroundAnalysisMaxFiles": 0,
                     "shfmt": {"path": ""}}})"},
};

constexpr ServerKind kUnknown{.name = "", .needs_created_on_disk = true};

}  // namespace

std::span<const ServerKind> server_kinds() { return kKinds; }

const ServerKind& server_kind(std::string_view name) {
  name = last_part(name);
  for (const ServerKind& kind : kKinds) {
    if (name == kind.name) return kind;
    for (const std::string& command : words_of_list(kind.commands, '|')) {
      const std::string program = command.substr(0, command.find(' '));
      // Debian adds the version: "clangd-14".
      if (name == program ||
          (name.starts_with(program + "-") &&
           name.find_first_not_of("0123456789.", program.size() + 1) == std::string_view::npos))
        return kind;
    }
  }
  return kUnknown;
}

std::string usual_program(const ServerKind& kind) {
  for (const std::string& command : words_of_list(kind.commands, '|'))
    if (command.starts_with(kind.name)) return command.substr(0, command.find(' '));
  return "";
}

std::vector<std::string> words_of_list(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, separator))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

}  // namespace bodkin
