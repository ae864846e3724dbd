#include "agent/support/install_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/processes.h"
#include "agent/support/program.h"

namespace bodkin {

namespace {

constexpr std::array<std::string_view, 2> kManagers[] = {
    // program, what is typed before the package
    {"apt", "apt install"},
    {"dnf", "dnf install"},
    {"pacman", "pacman -S"},
    {"winget", "winget install"}};

struct Package {
  std::string_view program;
  std::array<std::string_view, std::size(kManagers)> system;  // by kManagers; "": it has none
  std::string_view npm = "";
};

// The npm packages run with Node 18, which Debian 12 and Ubuntu 24.04 have; TypeScript 7 has no
// tsserver.
constexpr Package kPackages[] = {
    {"rg", {"ripgrep", "ripgrep", "ripgrep", "BurntSushi.ripgrep.MSVC"}},
    {"git", {"git", "git", "git", "Git.Git"}},
    {"bwrap", {"bubblewrap", "bubblewrap", "bubblewrap"}},
    {"npm", {"npm", "nodejs-npm", "npm", "OpenJS.NodeJS.LTS"}},
    {"clangd", {"clangd", "clang-tools-extra", "clang", "LLVM.LLVM"}},
    {"go", {"golang-go", "golang", "go", "GoLang.Go"}},
    {"cargo", {"cargo", "cargo", "rust", "Rustlang.Rustup"}},
    {"shellcheck", {"shellcheck", "ShellCheck", "shellcheck", "koalaman.shellcheck"}},
    {"pyright-langserver", {}, "pyright"},
    {"typescript-language-server", {}, "typescript-language-server@4 typescript@5"},
    {"tsserver", {}, "typescript@5"},
    {"bash-language-server", {}, "bash-language-server@5.6.0"}};

std::string as_root(std::string_view command, bool is_needed) {
  return std::string(is_needed && !os::is_administrator() ? os::kAsAdministrator : "") +
         std::string(command);
}

// Whether npm's global packages are the user's own.
bool owns_npm_packages(const std::string& npm) {
  const auto prefix = std::filesystem::path(npm).parent_path().parent_path();
  return prefix != "/usr" && os::access((prefix / "lib").generic_string().c_str(), W_OK) == 0;
}

}  // namespace

std::string commands_to_install(std::string_view program) {
  if (program == "gopls") return "go install golang.org/x/tools/gopls@latest";
  const auto package = std::ranges::find(kPackages, program, &Package::program);
  if (package == std::end(kPackages)) return "";
  if (!package->npm.empty()) {
    const auto npm = find_program("npm");
    const std::string first = npm ? "" : commands_to_install("npm");
    return fmt::format(
        "{}{}{}", first, first.empty() ? "" : "\n",
        as_root(fmt::format("npm install -g {}", package->npm), !npm || !owns_npm_packages(*npm)));
  }
  for (size_t i = 0; i < std::size(kManagers); ++i)
    if (!package->system[i].empty() && find_program(std::string(kManagers[i][0])))
      return as_root(fmt::format("{} {}", kManagers[i][1], package->system[i]), true);
  return "";
}

std::string commands_for_local_model() {
  const std::string pull = "ollama pull qwen3-coder";
  if (find_program("ollama")) return pull;
  if (find_program("winget")) return "winget install Ollama.Ollama\n" + pull;
  return "curl -fsSL https://ollama.com/install.sh | sh\n" + pull;
}

}  // namespace bodkin
