#include "agent/checkers/imports.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/dependents.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

// Whether a file with this text would be found to import the file at `path`.
bool imports_it(Imports imports, const char* text, const char* path) {
  const auto imported = imported_keys(imports, text);
  return std::ranges::any_of(keys_of(imports, path),
                             [&](const std::string& key) { return imported.contains(key); });
}

}  // namespace

TEST_CASE("imports: the file that a text names is found") {
  struct Row {
    Imports imports;
    const char* text;
    const char* path;
    bool is_found;
  };
  const Row rows[] = {
      {Imports::include, "#include \"a/shapes.h\"\n", "src/a/shapes.h", true},
      {Imports::include, "  #  include <shapes.h>\n", "shapes.h", true},
      {Imports::include, "#include SHAPES\n", "shapes.h", true},
      {Imports::include, "/* all */ #include \"shapes.h\"\n", "shapes.h", true},
      {Imports::include, "#include \\\n  \"shapes.h\"\n", "shapes.h", true},
      {Imports::include, "#include \"other.h\"\n// shapes.h\n", "shapes.h", false},
      {Imports::python, "from shop.models import Item\n", "shop/models.py", true},
      {Imports::python, "from shop import (\n    models,\n)\n", "shop/models.py", true},
      {Imports::python, "import shop\n", "shop/__init__.py", true},
      {Imports::python, "from . import x\n", "shop/__init__.py", true},
      {Imports::python, "models = 1\n", "shop/models.py", false},
      {Imports::python, "if True: from models import f\n", "shop/models.py", true},
      {Imports::python, "from\tmodels import f\n", "shop/models.py", true},
      {Imports::script, "import {\n  a,\n} from './types';\n", "src/types.ts", true},
      {Imports::script, "const t = require(\"../types.js\");\n", "src/types.ts", true},
      {Imports::script, "import * as all from '.';\n", "src/index.ts", true},
      {Imports::script, "export * from 'rxjs';\n", "packages/rxjs/src/index.ts", true},
      {Imports::script, "const s = 'types';\n", "src/types.ts", false},
      {Imports::go, "import (\n\t\"fmt\"\n\tx \"example.org/shop/store\"\n)\n", "store/a.go", true},
      {Imports::go, "import \"example.org/store/v2\"\n", "store/a.go", true},
      {Imports::go, "import \"fmt\"\n", "store/a.go", false},
      {Imports::go, "import (\"fmt\"; x \"example.org/store\")\n", "store/a.go", true},
      {Imports::go, "import `example.org/store`\n", "store/a.go", true},
      {Imports::go, "/* a */ import \"example.org/store\"\n", "store/a.go", true},
      {Imports::none, "source lib.sh\n", "lib.sh", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(imports_it(row.imports, row.text, row.path) == row.is_found);
  }
}

TEST_CASE("dependents: the files that may be affected, of the same language alone") {
  struct Row {
    Imports imports;
    std::map<std::string, std::string> files;
    const char* changed;
    std::vector<std::string> wanted;
  };
  const Row rows[] = {
      {Imports::go,
       {{"go.mod", "module example.org/shop\n"},
        {"shop.go", "package shop\n"},
        {"cmd/main.go", "package main\nimport \"example.org/shop\"\n"},
        {"other/a.go", "package other\nimport \"fmt\"\n"}},
       "shop.go",
       {"cmd/main.go"}},
      {Imports::go,
       {{"go.mod", "module example.org/shop\n"},
        {"lib/go.mod", "module \"example.org/store/v2\"\n"},
        {"lib/a.go", "package store\n"},
        {"main.go", "package main\nimport \"example.org/store/v2\"\n"}},
       "lib/a.go",
       {"main.go"}},
      {Imports::python,
       {{"util.py", "a = 1\n"}, {"b.py", "import util\n"}, {"b.ts", "import {a} from './util';\n"}},
       "util.py",
       {"b.py"}},
      {Imports::script,
       {{"globals.d.ts", "declare const a: number;\n"}, {"b.ts", "a;\n"}, {"b.py", "import a\n"}},
       "globals.d.ts",
       {"b.ts"}},
  };
  for (const Row& row : rows) {
    INFO(row.changed);
    const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
    REQUIRE(folder);
    for (const auto& [path, text] : row.files) {
      const auto full = std::filesystem::path(folder->path()) / path;
      std::filesystem::create_directories(full.parent_path());
      std::ofstream(full) << text;
    }
    SourceFiles files(folder->path());
    files.refresh({}, {});
    // What was read for the one is no dependent of the other.
    for (const Imports each : {Imports::python, Imports::script, Imports::go})
      files.dependents(each, {});
    ChangedFile changed;
    changed.path = row.changed;
    CHECK(files.dependents(row.imports, {changed}) == row.wanted);
    CHECK(files.is_complete());
  }
}

TEST_CASE("dependents: what configures the project counts as changed") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const auto write = [&](const char* text) {
    std::ofstream(std::filesystem::path(folder->path()) / "go.mod") << text;
  };
  write("module a\n");
  SourceFiles files(folder->path());
  files.refresh({}, {});
  write("module a\n\nrequire b v1.0.0\n");
  const auto changes = files.refresh({}, {});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].path == "go.mod");
}

TEST_CASE("changed_names: what users of a changed file may mention") {
  const auto names_of = [](const char* path, const char* before, const char* after) {
    ChangedFile file;
    file.path = path;
    file.before = Text(before);
    file.after = Text(after);
    return changed_names({file});
  };
  const auto body =
      names_of("a.py", "def total(x):\n    return x\n", "def total(x):\n    return -x\n");
  CHECK(body.contains("total"));
  CHECK(!body.contains("return"));
  CHECK(mentions("print(total(3))", body));
  CHECK(!mentions("print(totals)", body));
  // A directive may change anything for those who include the file.
  CHECK(names_of("a.h", "#include <b.h>\nint a;\n", "int a;\n").empty());
}
