#include "agent/checkers/server_view.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>

#include "agent/platform/paths.h"
#include "agent/support/path_text.h"
#include "agent/support/user_folders.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr std::array kScriptEndings = {"",          ".ts",         ".tsx", ".d.ts", ".mts",
                                       ".cts",      ".js",         ".jsx", ".json", "/index.ts",
                                       "/index.js", "/index.d.ts", ".mjs", ".cjs"};

bool exists_at(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string with_home(const std::string& path) {
  return path.starts_with("~/") ? home_folder() + path.substr(1) : path;
}

// The packages that a program came with, or its own folder, unless that holds more than tools.
std::string installation_of(const fs::path& program, const std::string& root) {
  fs::path packages;
  const fs::path own = program.parent_path();
  for (fs::path folder = own; folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "node_modules" || folder.parent_path().filename() == "extensions")
      packages = folder;
  if (!packages.empty()) return packages.generic_string();
  const bool is_large = own == root || is_below(root, own.generic_string()) ||
                        !own.parent_path().has_relative_path() || own == home_folder();
  if (is_large) return program.generic_string();
  const bool has_libraries = own.filename() == "bin" && exists_at(own.parent_path() / "lib") &&
                             !is_below(root, own.parent_path().generic_string()) &&
                             own.parent_path().filename() != ".local" &&
                             own.parent_path() != home_folder();
  return has_libraries ? own.parent_path().generic_string() : own.generic_string();
}

// Whether a program is part of an installation: in packages, or next to a Python, whose folder is
// then shown. A folder could name, or link to, any file of the home as its program.
bool is_installed(const fs::path& program) {
  for (const fs::path& part : program)
    if (part == "node_modules") return true;
  const fs::path prefix = program.parent_path().parent_path(), home = home_folder();
  const bool is_environment = exists_at(prefix / "pyvenv.cfg");
  const bool is_of_home = prefix == home ||
                          is_below(home.generic_string(), prefix.generic_string()) ||
                          (prefix.parent_path() == home &&
                           prefix.filename().generic_string().starts_with('.') && !is_environment);
  return program.parent_path().filename() == "bin" && !is_of_home && !exists_at(prefix / ".git") &&
         (is_environment || exists_at(prefix / "bin/python3"));
}

// The configuration files that the languages' tools look for, upwards from a file.
std::initializer_list<const char*> configurations_above(Imports imports) {
  static constexpr std::initializer_list<const char*> kInclude = {
      "compile_commands.json", "build/compile_commands.json", "compile_flags.txt", ".clangd"};
  static constexpr std::initializer_list<const char*> kScript = {"package.json", "tsconfig.json",
                                                                 "jsconfig.json", "node_modules"};
  static constexpr std::initializer_list<const char*> kPython = {"pyrightconfig.json",
                                                                 "pyproject.toml"};
  static constexpr std::initializer_list<const char*> kGo = {"go.mod", "go.sum", "go.work",
                                                             "go.work.sum"};
  switch (imports) {
    case Imports::include:
      return kInclude;
    case Imports::script:
      return kScript;
    case Imports::python:
      return kPython;
    case Imports::go:
      return kGo;
    case Imports::none:
      break;
  }
  return {};
}

// Whether a configuration names a path for which `is_wanted`.
bool names_path(std::string_view text, const fs::path& folder,
                const std::function<bool(const std::string&)>& is_wanted) {
  constexpr std::string_view kEnds = " \t\r\n\"',()[]{}";
  for (size_t begin = text.find_first_not_of(kEnds); begin != text.npos;) {
    const size_t end = std::min(text.find_first_of(kEnds, begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    word = word.substr(0, word.find('*'));
    const bool is_far = word.starts_with("..") || os::is_absolute(word) || word.contains("/..");
    const bool is_sign = word.find_first_not_of('/') == word.npos;  // of a comment, or a pattern
    if (is_far && !is_sign && is_wanted((folder / word).lexically_normal().generic_string()))
      return true;
    begin = text.find_first_not_of(kEnds, end);
  }
  return false;
}

}  // namespace

SandboxSettings places_of_server(const ServerCommand& command, const std::string& root) {
  SandboxSettings places{.oldest_search = kOldSearch};
  const auto add_program = [&](const std::string& path, bool is_chosen_by_folder) {
    std::error_code error;
    const fs::path real = os::canonical(path, error);
    if (error || fs::is_directory(real, error)) return;
    if (is_chosen_by_folder) {
      // The folder itself is shown without its private files.
      if (is_below(real.generic_string(), root) || !is_installed(real)) return;
      const fs::path there =
          os::canonical(fs::path(path).parent_path(), error) / fs::path(path).filename();
      if (!is_below(there.generic_string(), root))
        places.readable.push_back(is_installed(there) ? installation_of(there, root)
                                                      : there.generic_string());
    } else {
      places.readable.push_back(installation_of(path, root));
    }
    places.readable.push_back(installation_of(real, root));
  };
  for (const std::string& argument : command.arguments)
    if (os::is_absolute(argument)) add_program(argument, is_below(argument, root));
  if (const std::string library = string_at(at(command.options, "tsserver"), "path");
      !library.empty())
    add_program(library, is_below(library, root));
  if (command.settings.contains("python") && command.settings["python"].contains("pythonPath"))
    if (const auto& python = command.settings["python"]["pythonPath"]; python.is_string())
      add_program((fs::path(root) / python.get<std::string>()).lexically_normal().generic_string(),
                  true);
  for (std::string& path : words_of_list(command.kind->readable))
    places.readable.push_back(std::move(path));
  add_named_places(places, command.kind->variables);
  // A build outside of the folder is often linked into it; a link to a file of another name could
  // be one to any file.
  const auto add_configuration = [&](const fs::path& path) {
    std::error_code error;
    const fs::path real = os::canonical(path, error);
    if (error || is_below(real.generic_string(), root) || real.filename() != path.filename())
      return;
    if (!is_below(path.generic_string(), root)) places.readable.push_back(path.generic_string());
    places.readable.push_back(real.generic_string());
  };
  for (fs::path folder = root; folder.has_relative_path(); folder = folder.parent_path())
    for (const char* name : configurations_above(command.imports)) add_configuration(folder / name);
  return places;
}

void add_named_places(SandboxSettings& places, std::string_view variables) {
  for (const std::string& name : words_of_list(variables)) {
    std::string path = absolute_variable(name.c_str());
    if (path.empty()) continue;
    // The packages, not the sources of other projects.
    if (name == "GOPATH") path = join_path(path, "pkg");
    (name == "GOCACHE" ? places.caches : places.readable).push_back(std::move(path));
  }
}

std::string go_flags_that_write_nothing() {
  const char* const flags = os::getenv("GOFLAGS");
  std::string kept;
  for (const std::string& flag : words_of_list(flags ? flags : ""))
    if (flag != "-mod=mod" && flag != "--mod=mod") kept += (kept.empty() ? "" : " ") + flag;
  return kept;
}

bool ServerView::hides(const std::string& absolute) const {
  std::error_code error;
  const std::string real = os::canonical(absolute, error).generic_string();
  if (error) return false;
  if (is_below(real, root_))
    return files_.is_private(path_in(real, root_)) || real.contains("/.git/");
  if (real == root_) return false;
  for (const char* system : {"/usr", "/opt", "/bin", "/lib", "/lib64", "/etc"})
    if (is_below(real, system)) return false;
  return std::ranges::none_of(command_.sandbox.readable, [&](const std::string& place) {
    const std::string shown = os::weakly_canonical(with_home(place), error).generic_string();
    return real == shown || is_below(real, shown);
  });
}

// Links among the packages, as a workspace's packages are linked to each other.
std::set<std::string, std::less<>> ServerView::hidden_packages() const {
  std::set<std::string, std::less<>> names;
  for (fs::path folder = root_; folder.has_relative_path(); folder = folder.parent_path()) {
    std::error_code error;
    const auto add = [&](const fs::directory_entry& entry) {
      if (os::is_symlink(entry, error) && hides(entry.path().generic_string()))
        names.insert(entry.path().filename().generic_string());
    };
    for (const auto& entry : fs::directory_iterator(folder / "node_modules", error)) {
      add(entry);
      if (!entry.path().filename().generic_string().starts_with('@')) continue;
      for (const auto& scoped : fs::directory_iterator(entry.path(), error)) add(scoped);
    }
  }
  return names;
}

bool ServerView::misses(const std::set<std::string>& paths, const TextOf& text_of,
                        const std::map<std::string, std::string>& configurations) const {
  const Imports imports = command_.imports;
  const auto is_elsewhere = [&](const std::string& path) { return hides(path); };
  for (const auto& [configuration, text] : configurations) {
    const fs::path own = fs::path(join_path(root_, configuration)).parent_path();
    if (names_path(text, own, is_elsewhere)) return true;
  }
  // Without a sandbox nothing is hidden from the server, and thus from who is told what it says.
  const bool is_open = sandbox_ability().kind == Confinement::none;
  if (is_open && std::ranges::any_of(commands_.include_folders(), is_elsewhere)) return true;
  SourceFiles::Hidden hidden;
  hidden.by_macro = is_open && files_.has_private();
  if (imports == Imports::script) hidden.keys = hidden_packages();
  for (const std::string& link : files_.links_out()) {
    if (hides(join_path(root_, link)))
      for (const std::string& key : keys_of(imports, link)) hidden.keys.insert(key);
  }
  hidden.is_hidden = [&](const std::string& path) {
    if (imports == Imports::python) return hides(path) || hides(path + ".py");
    if (imports != Imports::script) return hides(path);
    return std::ranges::any_of(kScriptEndings,
                               [&](const char* ending) { return hides(path + ending); });
  };
  return files_.reach(imports, paths, std::move(hidden), text_of);
}

bool ServerView::hides_header(const std::string& path, const std::string& name) const {
  const fs::path folder = fs::path(join_path(root_, path)).parent_path();
  return hides((folder / name).generic_string()) ||
         std::ranges::any_of(commands_.include_folders(), [&](const std::string& each) {
           return hides((fs::path(each) / name).generic_string());
         });
}

}  // namespace bodkin
