// The name by which a file imports another one of its project: in the way its own imports do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammars/names.h"
#include "grammars/symbol_index.h"

namespace bodkin {

struct ImportWorld {
  const SymbolIndex& symbols;  // of the whole project
  // A file's text; nullopt: it cannot be had at once.
  std::function<std::optional<Text>(const std::string& path)> read;
};

// Whether the file's name says that it is a module of this kind: Python, or a script.
bool is_module(std::string_view path, bool is_python);

class ModulePath {
 public:
  // Names `target` in `path`; both as the index has them. `imports`: of `path`. All outlive it.
  ModulePath(const std::string& path, const std::string& target,
             const std::vector<NamedImport>& imports, const ImportWorld& world, bool is_python);

  bool is_it(const NamedImport& import) const;  // whether it is one of the target
  bool is_imported() const;                     // whether any is, or one of it as a module
  // Imports it in a line of its own after the others; the first one goes above `first_code`.
  // Nullopt: it is not certain what the target is called there.
  std::optional<Replacement> import_of(const std::string& name, bool is_type, const Text& file,
                                       size_t first_code) const;

 private:
  struct Resolved {
    size_t import = 0;  // of imports_
    std::string path;   // of a file of the project
    // The beginning of the module's name, and the folder that it represents.
    std::string prefix, root;
  };
  bool has(const std::string& path) const { return world_.symbols.find_file(path) != nullptr; }
  std::string file_of(const std::string& stem) const;  // "a/b" -> "a/b.py"; "": none
  std::optional<Resolved> resolved(size_t import) const;
  std::optional<std::string> python_module() const;
  std::optional<std::string> script_module() const;
  std::string package_of(std::string path) const;  // the folder with a package.json

  const std::string &path_, &target_;
  const std::vector<NamedImport>& imports_;
  const ImportWorld& world_;
  const bool is_python_;
  std::vector<Resolved> resolved_;  // in order
};

}  // namespace bodkin
