#include "agent/sandbox/linux/sandbox_shown.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/real_path.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// Below the home: what installers of languages and tools put there. Not what such tools keep next
// to it: credentials (.cargo/credentials.toml, .m2/settings.xml) and source code (go/src).
constexpr const char* kToolFolders[] = {
    // for all languages
    ".local/bin", ".local/lib", ".asdf", ".local/share/mise/installs", ".local/share/mise/shims",
    ".proto/bin", ".proto/shims", ".proto/tools", ".local/share/aquaproj-aqua", ".linuxbrew",
    ".nix-profile", ".local/state/nix/profiles", ".pkgx", ".pixi/bin", ".pixi/envs", ".terminfo",
    // C, C++
    ".conan/data", ".conan2/p", ".cget", ".emsdk", ".vcpkg", "vcpkg", ".platformio/packages",
    ".platformio/penv", ".platformio/platforms", ".espressif",
    // Dart, Erlang, Elixir, .NET, Go, Haskell, Julia, Lua, Nim, OCaml, Perl, PHP
    ".pub-cache/bin", ".pub-cache/global_packages", ".pub-cache/hosted", ".pub-cache/git", ".kerl",
    ".mix/archives", ".mix/elixir", ".mix/escripts", ".hex/packages", ".dotnet/dotnet",
    ".dotnet/host", ".dotnet/packs", ".dotnet/sdk", ".dotnet/shared", ".dotnet/tools",
    ".nuget/packages", "go/bin", ".gvm", ".goenv", ".g/go", ".ghcup", ".cabal/bin",
    ".cabal/packages", ".cabal/store", ".local/state/cabal/store", ".stack/programs",
    ".stack/snapshots", ".stack/pantry", ".juliaup", ".julia/artifacts", ".julia/compiled",
    ".julia/juliaup", ".julia/packages", ".julia/registries", ".luarocks", ".choosenim",
    ".nimble/bin", ".nimble/pkgs", ".nimble/pkgs2", ".opam", "perl5", ".plenv", ".perlbrew",
    ".composer/vendor", ".config/composer/vendor", ".phpenv",
    // Java
    ".sdkman", ".jenv", ".jabba", ".jbang/cache", ".gradle/jdks", ".m2/wrapper", ".sbt/boot",
    ".sbt/launchers", ".ivy2/cache", ".ivy2/local", ".local/share/coursier", "Android/Sdk",
    // JavaScript
    ".nvm", ".fnm", ".local/share/fnm", ".volta/bin", ".volta/tools", ".nodenv", ".n", ".deno",
    ".bun/bin", ".bun/install", ".local/share/pnpm", ".npm-global", ".npm-packages", ".yarn/berry",
    ".yarn/bin", ".config/yarn/global",
    // Python
    ".pyenv", ".virtualenvs", ".local/share/virtualenvs", ".local/share/pipx", ".local/pipx",
    ".local/share/uv/python", ".local/share/uv/tools", ".local/share/hatch", ".local/share/pdm",
    ".rye/py", ".rye/self", ".rye/shims", ".rye/tools", ".poetry", ".local/share/pypoetry",
    "miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda/envs",
    ".conda/pkgs",
    // Ruby, Rust, Swift, Zig, proofs, chains, documents
    ".rbenv", ".rvm", ".gem/ruby", ".local/share/gem/ruby", ".bundle/cache", ".rustup",
    ".cargo/bin", ".swiftly", ".swiftpm/swift-sdks", ".zvm", ".elan", ".foundry/bin", ".svm",
    ".solc-select", ".wasmtime/bin", ".wasmer/bin", ".texlive", ".TinyTeX"};

// Below the home: caches, which tools can do without.
constexpr const char* kCacheFolders[] = {
    // C, C++, Go and what builds many languages
    ".ccache", ".cache/ccache", ".cache/sccache", ".cache/bazel", ".cache/bazelisk", ".cache/buck2",
    ".cache/clangd", ".cache/conan", ".cache/vcpkg", ".cache/meson", ".cache/go-build",
    ".cache/golangci-lint", ".cache/gopls", ".cache/staticcheck", "go/pkg",
    // Python, JavaScript and the others
    ".cache/pip", ".cache/uv", ".cache/pypoetry", ".cache/pdm", ".cache/hatch", ".cache/pre-commit",
    ".cache/mypy", ".cache/ruff", ".cache/black", ".cache/pylint", ".cache/pytest",
    ".cache/virtualenv", ".cache/huggingface/hub", ".cache/torch", ".npm/_cacache", ".npm/_npx",
    ".npm/_prebuilds", ".cache/yarn", ".cache/pnpm", ".cache/node", ".cache/node-gyp",
    ".cache/deno", ".cache/electron", ".cache/electron-builder", ".cache/ms-playwright",
    ".cache/puppeteer", ".cache/Cypress", ".cache/prisma", ".cache/esbuild", ".cache/typescript",
    ".cache/turbo", ".cache/selenium", ".cargo/registry", ".cargo/git", ".gradle/caches",
    ".gradle/wrapper", ".gradle/native", ".gradle/notifications", ".m2/repository",
    ".cache/coursier", ".cache/composer", ".composer/cache", ".cache/gem", ".cache/rebar3",
    ".cache/elixir_make", ".cache/mix", ".cache/dune", ".cache/opam", ".cache/cabal",
    ".cache/ghcide", ".cache/hie-bios", ".cache/zig", ".cache/nim", ".cache/swiftpm",
    ".cache/org.swift.swiftpm", ".cache/luarocks", ".cache/matplotlib", ".cache/fontconfig"};

// Decides: which folders of the system the sandbox shows.
constexpr const char* kSystemPlaces[] = {
    // programs
    "/usr", "/usr/local", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/etc",
    // data that they look up
    "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/pacman", "/var/lib/ca-certificates", "/var/lib/ghc",
    "/var/lib/gems", "/var/lib/ocaml", "/var/lib/python", "/var/lib/texmf", "/var/lib/sgml-base",
    "/var/lib/xml-core", "/var/lib/dictionaries-common", "/var/guix", "/var/cache/fontconfig"};

bool is_system_path(const std::string& path) {
  return std::ranges::any_of(kSystemPlaces,
                             [&](const char* folder) { return lies_in(path, folder); });
}

bool belongs_to_others(const std::string& path, const std::string& home) {
  return (lies_in(path, "/home") || lies_in(path, "/root")) && !lies_in(path, home);
}

bool can_be_shown(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return false;
  if (fs::is_directory(status)) return ::access(path.c_str(), R_OK | X_OK) == 0;
  return fs::is_regular_file(status) && ::access(path.c_str(), R_OK) == 0;
}

// Programs at home and elsewhere find their libraries next to their folder, so the whole
// installation is shown. Not a checkout, which is someone's work, and not ~/.local, which holds
// user data.
std::string installed_with(const std::string& folder, const std::string& home) {
  const fs::path path(folder), prefix = path.parent_path();
  std::error_code error;
  if (path.filename() == ".bin" && prefix.filename() == "node_modules") return prefix;
  if (path.filename() != "bin" && path.filename() != "sbin") return folder;
  if (prefix == home || prefix == home + "/.local" || prefix.parent_path() == "/" ||
      fs::exists(prefix / ".git", error)) {
    return folder;
  }
  for (const char* part : {"lib", "lib64", "libexec", "pkg"}) {
    if (fs::is_directory(prefix / part, error)) return prefix;
  }
  return folder;
}

// Packages, or a prefix that programs were installed in: as large as a file system, and published.
bool is_installation(const std::string& path) {
  std::error_code error;
  return fs::path(path).filename() == "node_modules" ||
         (fs::is_directory(path + "/bin", error) && fs::is_directory(path + "/lib", error) &&
          !fs::exists(path + "/.git", error));
}

// No name has come to one of the folders, or gone from it, since they were looked through.
bool is_as_found(const std::string& place, const LayerFindings& found) {
  return std::ranges::all_of(found.folders, [&](const auto& folder) {
    struct stat now {};
    return ::lstat(join_path(place, folder.first).c_str(), &now) == 0 &&
           now.st_mtim.tv_sec == folder.second.tv_sec &&
           now.st_mtim.tv_nsec == folder.second.tv_nsec;
  });
}

class Shown {
 public:
  Shown(const std::string& home, std::chrono::minutes oldest_search, const std::stop_token& stop)
      : home_(home), oldest_search_(oldest_search), stop_(stop) {}

  // Its path and its real path: links in between may be hidden.
  void add(std::set<std::string>& to, const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !can_be_shown(real)) return;
    for (const std::string& each : {fs::path(path).lexically_normal().string(), real.string()}) {
      const std::string folder = each.ends_with('/') ? each.substr(0, each.size() - 1) : each;
      if (folder.size() > 1 && !(home_ + "/").starts_with(folder + "/")) to.insert(folder);
    }
  }

  using Find = Result<LayerFindings>(const std::string& folder, const std::stop_token& stop);

  // The same without what `find` says is private.
  void add_searched(std::set<std::string>& to, const std::string& path, Find* find = find_private,
                    bool is_named = false) {
    std::set<std::string> places;
    add(places, path);
    for (const std::string& place : places) {
      if (fs::is_directory(place)) {
        const auto found = is_named ? find(place, stop_) : search(place, find);
        if (!found) continue;  // too much to be looked through
        for (const auto* list : {&found->secrets, &found->channels}) {
          for (const std::string& inside : *list) shown_.hidden.push_back(join_path(place, inside));
        }
      }
      to.insert(place);
    }
  }

  // Tools' folders are large: an earlier result is reused if no folder has changed since.
  Result<LayerFindings> search(const std::string& place, Find* find) {
    struct Search {
      std::chrono::steady_clock::time_point when;
      LayerFindings found;
    };
    static std::mutex mutex;
    static std::map<std::pair<std::string, Find*>, Search> searches;
    const auto now = std::chrono::steady_clock::now();
    {
      const std::lock_guard lock(mutex);
      const auto known = searches.find({place, find});
      if (known != searches.end() && now - known->second.when < oldest_search_ &&
          is_as_found(place, known->second.found))
        return known->second.found;
    }
    const std::time_t begun = std::time(nullptr);
    auto found = find(place, stop_);
    const auto is_old = [&](const auto& folder) { return folder.second.tv_sec + 1 < begun; };
    const std::lock_guard lock(mutex);
    if (found && std::ranges::all_of(found->folders, is_old))
      searches[{place, find}] = {now, *found};
    return found;
  }

  // "~/x" and "/x"; anything else would be relative to an unknown folder.
  void add_named(std::set<std::string>& to, const std::string& path) {
    const bool is_at_home = path.starts_with("~/") && !home_.empty();
    const std::string place = is_at_home ? home_ + path.substr(1) : path;
    if (!place.starts_with('/')) return;
    Find* find = find_private;
    if (is_installation(place)) find = find_private_of_tools;
    add_searched(to, place, find, true);
  }

  ShownPlaces shown_;

 private:
  const std::string& home_;
  const std::chrono::minutes oldest_search_;
  const std::stop_token& stop_;
};

}  // namespace

// Decides: which tools and caches of the home the sandbox shows.
ShownPlaces shown_places(const SandboxSettings& settings, const std::vector<std::string>& command,
                         const std::string& home, const std::stop_token& stop) {
  Shown all(home, settings.oldest_search, stop);
  for (const char* path : kSystemPlaces) all.add(all.shown_.readable, path);
  if (!home.empty()) {
    for (const std::string path : kToolFolders)
      all.add_searched(all.shown_.readable, join_path(home, path), find_private_of_tools);
    for (const std::string path : kCacheFolders)
      all.add_searched(all.shown_.caches, join_path(home, path), find_private_of_tools);
  }
  // Programs that the user calls without a path.
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (const std::string_view each : split(path, ':')) {
    const std::string folder(each);
    if (folder.starts_with('/') && !is_system_path(folder) && !belongs_to_others(folder, home)) {
      all.add_searched(all.shown_.readable, installed_with(folder, home));
    }
  }
  if (!command.empty()) {
    const auto program = find_program(command[0], {});
    if (program) all.add(all.shown_.readable, *program);
  }
  for (const std::string& each : settings.readable) all.add_named(all.shown_.readable, each);
  for (const std::string& each : settings.caches) all.add_named(all.shown_.caches, each);
  return std::move(all.shown_);
}

}  // namespace bodkin
