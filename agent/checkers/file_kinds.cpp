#include "agent/checkers/file_kinds.h"

#include <algorithm>

#include "edits/plan/paths.h"

namespace bodkin {

bool configures_checks(std::string_view path) {
  // clang-format off
  static constexpr std::string_view kNames[] = {
      "compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "meson.build",
      "package.json", "pyproject.toml", "pyrightconfig.json", "setup.cfg", "go.mod", "go.sum",
      "go.work", "Cargo.toml", "Cargo.lock", "build.rs", "Makefile", "GNUmakefile", "configure.ac",
      ".shellcheckrc"};
  // clang-format on
  const std::string_view name = last_part(path);
  return std::ranges::find(kNames, name) != std::end(kNames) || path.starts_with(".cargo/") ||
         path.contains("/.cargo/") || name.starts_with("rust-toolchain") ||
         (name.starts_with("tsconfig") && name.ends_with(".json")) ||
         (name.starts_with("jsconfig") && name.ends_with(".json")) || name.ends_with(".cmake") ||
         name.ends_with(".mk") || path == "vendor/modules.txt" ||
         path.ends_with("/vendor/modules.txt");
}

bool configures_compilation(std::string_view path) {
  static constexpr std::string_view kNames[] = {"compile_commands.json", "CMakeLists.txt",
                                                "meson.build",           "Makefile",
                                                "GNUmakefile",           "configure.ac"};
  const std::string_view name = last_part(path);
  return std::ranges::find(kNames, name) != std::end(kNames) || name.ends_with(".cmake") ||
         name.ends_with(".mk");
}

bool is_data(const Language* language, std::string_view path) {
  if (language) {
    static constexpr std::string_view kData[] = {"css",  "html", "json", "markdown",
                                                 "toml", "xml",  "yaml"};
    return std::ranges::find(kData, language->id) != std::end(kData);
  }
  const std::string_view name = last_part(path);
  for (const std::string_view extension : {".txt", ".rst", ".adoc", ".csv", ".tsv", ".log", ".po",
                                           ".svg", ".ini", ".cfg", ".properties", ".org", ".tex"})
    if (name.ends_with(extension)) return true;
  return name.find('.') == name.npos || name.starts_with('.')
             ? name == "README" || name == "LICENSE" || name == "COPYING" || name == "CHANGELOG" ||
                   name == "NEWS" || name == "AUTHORS" || name == ".gitignore" ||
                   name == ".gitattributes" || name == ".editorconfig"
             : false;
}

}  // namespace bodkin
