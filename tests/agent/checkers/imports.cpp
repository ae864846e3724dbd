#include "agent/checkers/imports.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/dependents.h"
#include "agent/checkers/plain_edits.h"
#include "agent/checkers/script_projects.h"
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

TEST_CASE("imports: only what brings in a file of C does, and what it asks for is by its name") {
  const auto keys = [](const char* text) { return imported_keys(Imports::include, text); };
  using Keys = std::set<std::string>;
  CHECK(keys("#define API __declspec(dllimport)\n#ifdef __has_include\n// #include it\n").empty());
  CHECK(keys("/* first */ # include <a/b.h>\n%:include \"c.h\"\n") == Keys{"b.h", "c.h"});
  CHECK(keys("import <d>;\nexport import \"e.h\";\n") == Keys{"d", "e.h"});
  CHECK(keys("#include \\\n  \"f.h\"\n") == Keys{"f.h"});
  CHECK(keys("#include CONFIG\n") == Keys{"*"});
  CHECK(keys("#if __has_include(<g.h>) && __has_include(\"h.h\")\n") == Keys{"g.h", "h.h"});
  CHECK(keys("#if __has_include(CONFIG)\n").empty());
}

TEST_CASE("imports: what leads out of the folder is found, and no other string taken for it") {
  struct Row {
    Imports imports;
    const char* text;
    std::vector<std::string> paths;
  };
  const Row rows[] = {
      {Imports::script, "import { a } from \"../a\";\n", {"../a"}},
      {Imports::script, "export * from'/abs/b'\n", {"/abs/b"}},
      {Imports::script, "import \"../side\";\n", {"../side"}},
      {Imports::script, "import type { T } from\n\n  \"../t\";\n", {"../t"}},
      {Imports::script, "const x = await import(\n  \"../x\"\n);\n", {"../x"}},
      {Imports::script, "const y = require ( `../y` );\n", {"../y"}},
      {Imports::script, "import(/* webpackChunkName: \"z\" */ \"../z\");\n", {"../z"}},
      {Imports::script, "/// <reference path=\"../globals.d.ts\" />\n", {"../globals.d.ts"}},
      {Imports::script, "if (!name.includes(\"/\")) return;\n", {}},
      {Imports::script, "const all = Array.from(\"/\");\n", {}},
      {Imports::script, "const label = \"imported from \" + \"/\";\n", {}},
      {Imports::script, "importAll(\"../all\");\n", {}},
      {Imports::include, "#include \"../a.h\"\n", {"../a.h"}},
      {Imports::include, "/* here */ #include </abs/b.h>\n", {"/abs/b.h"}},
      {Imports::include, "#if __has_include(\"../c.h\")\n", {"../c.h"}},
      {Imports::include, "const bool included = path == \"/\";\n", {}},
      {Imports::python, "from ...a.b import c\n", {"../../a"}},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(far_imports(row.imports, row.text) == row.paths);
  }
}

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
    for (const Imports each : {Imports::python, Imports::script}) files.dependents(each, {});
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

TEST_CASE("add_names_of_users: the declarations through which a change is reached") {
  struct Row {
    const char* path;
    const char* text;
    std::set<std::string> names;
    const char* wanted;  // empty: any user may be affected
  };
  const Row rows[] = {
      {"a.py",
       "def _inner(v):\n    return v\n\n\ndef outer(n):\n    return _inner(n)\n",
       {"_inner"},
       "outer"},
      {"a.py", "from core import _inner as shown\n", {"_inner"}, "shown"},
      {"a.py", "try:\n    value = _inner(1)\nexcept OSError:\n    pass\n", {"_inner"}, "value"},
      {"m.h", "#define INNER(p) ((p)->a)\n\n#define OUTER(x) (INNER(x) + 1)\n", {"INNER"}, "OUTER"},
      {"m.h", "#define SIZE 3\n\n#define ALL \\\n  (SIZE)\n", {"SIZE"}, "ALL"},
      {"m.h", "#define NAME(x) get_##x\nint a;\n", {"a"}, ""},
      {"m.hpp",
       "inline auto inner() { return 1; }\ninline auto outer() { return inner(); }\n",
       {"inner"},
       "outer"},
      {"a.ts", "const inner = () => 1;\n\nexport { inner as outer };\n", {"inner"}, "outer"},
      {"a.ts", "export default function inner() {\n  return 1;\n}\n", {"inner"}, ""},
      {"a.go", "package a\n\nfunc outer() int {\n\treturn inner()\n}\n", {"inner"}, "outer"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    std::set<std::string> names = row.names;
    const bool is_known = add_names_of_users(row.path, Text(row.text), names);
    CHECK(is_known == (row.wanted[0] != '\0'));
    if (is_known) CHECK(names.contains(row.wanted));
  }
  // The name of a namespace is in every file, and says nothing.
  std::set<std::string> names = {"inner"};
  CHECK(add_names_of_users("a.hpp", Text("namespace all {\nint outer() { return inner(); }\n}\n"),
                           names));
  CHECK(names == std::set<std::string>{"inner", "outer"});
}

TEST_CASE("user_of_data: what a source or a configuration reads") {
  struct Row {
    const char* user;
    const char* text;
    const char* data;
    bool is_used;
  };
  const Row rows[] = {
      {"tsconfig.json", "{\"extends\": \"./config/base.json\"}\n", "config/base.json", true},
      {"tsconfig.json", "{\"extends\": \"./config/base\"}\n", "config/base.json", true},
      {"conf/one.json", "{\"extends\": \"./two.json\", \"include\": [\".\"]}\n", "conf/two.json",
       true},
      {"tsconfig.json", "{\"include\": [\"database\"]}\n", "config/base.json", false},
      {"pyproject.toml", "readme = \"README.md\"\n", "README.md", false},
      {"src/lib.rs", "const A: &[u8] = include_bytes!(\"a.txt\");\n", "src/a.txt", true},
      {"src/lib.rs", "#![doc = include_str!(\"../README.md\")]\n", "README.md", true},
      {"a.py", "open('data.json')\n", "data.json", false},
      {"a.c", "#include \"table.txt\"\n", "table.txt", true},
      {"build/compile_commands.json", "[{\"command\": \"gcc @../flags.txt -c a.c\"}]\n",
       "flags.txt", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
    REQUIRE(folder);
    const auto full = std::filesystem::path(folder->path()) / row.user;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << row.text;
    SourceFiles files(folder->path());
    files.refresh({}, {});
    ChangedFile changed;
    changed.path = row.data;
    changed.before = Text("1\n");
    changed.after = Text("2\n");
    CHECK(!files.user_of_data(changed).empty() == row.is_used);
  }
}

TEST_CASE("projects_differ: a file that two projects check in different ways") {
  using Files = std::map<std::string, std::string>;
  struct Row {
    Files files;
    const char* path;
    bool do_differ;
  };
  const Row rows[] = {
      {{{"tsconfig.app.json", R"({"compilerOptions": {"lib": ["dom"]}, "include": ["shared"]})"},
        {"tsconfig.node.json", R"({"compilerOptions": {"lib": []}, "include": ["shared"]})"}},
       "shared/t.ts",
       true},
      {{{"tsconfig.app.json", R"({"compilerOptions": {"lib": ["dom"]}, "include": ["src"]})"},
        {"tsconfig.json", R"({"files": [], "references": [{"path": "./tsconfig.app.json"}]})"},
        {"tsconfig.node.json",
         R"({"compilerOptions": {"lib": []}, "include": ["vite.config.ts"]})"}},
       "src/t.ts",
       false},
      // tsserver looks for tsconfig.json, and what that refers to.
      {{{"configs/build.json", R"({"include": ["../src"]})"},
        {"tsconfig.json", R"({"include": ["tests"]})"}},
       "src/t.ts",
       true},
      {{{"configs/tsconfig.json", R"({"include": ["../src"]})"},
        {"tsconfig.json", R"({"files": [], "references": [{"path": "configs/"}]})"}},
       "src/t.ts",
       false},
      {{{"tsconfig.json", "{\"compilerOptions\": {\"strict\": true,}, // all\n}"},
        {"tsconfig.build.json",
         R"({"extends": "./tsconfig", "compilerOptions": {"outDir": "x"}, "exclude": ["test"]})"}},
       "src/t.ts",
       false},
      {{{"tsconfig.json", R"({"compilerOptions": {"strict": true}})"},
        {"strict/tsconfig.json", R"({"compilerOptions": {"strict": false}})"}},
       "src/t.ts",
       false},
      {{{"tsconfig.json", R"({"files": [], "references": []})"},
        {"tsconfig.a.json", R"({"include": ["**/*.ts"], "compilerOptions": {"strict": true}})"},
        {"tsconfig.b.json", R"({"include": ["src/*.ts"]})"}},
       "src/t.ts",
       true},
  };
  for (const Row& row : rows) {
    std::vector<std::string> projects;
    for (const auto& [path, text] : row.files) projects.push_back(path);
    CAPTURE(projects.back());
    const auto read = [&](const std::string& path) -> std::optional<std::string> {
      const auto found = row.files.find(path);
      return found == row.files.end() ? std::nullopt : std::optional(found->second);
    };
    CHECK(projects_differ(projects, row.path, read) == row.do_differ);
  }
}

TEST_CASE("is_script_project: by its keys, not by its name") {
  CHECK(is_script_project(R"({"extends": "../tsconfig.json", "include": ["../src"], })"));
  CHECK(is_script_project(R"({"extends": "./a", "compilerOptions": {"strict": true}})"));
  CHECK(is_script_project(R"({"compilerOptions": {}, "files": ["a.ts"]})"));
  CHECK(!is_script_project(R"({"compilerOptions": {"deleteOutDir": true}, "sourceRoot": "src"})"));
  CHECK(!is_script_project(R"({"extends": ["eslint:recommended"], "rules": {}})"));
  CHECK(!is_script_project(
      R"({"name": "x", "files": ["dist"], "ts-node": {"compilerOptions": {}}})"));
}

TEST_CASE("pyright_settings: what pyproject.toml says to pyright") {
  CHECK(!pyright_settings("[tool.black]\ninclude = ['x']\n"));
  CHECK(pyright_settings("[tool.pyright]\n") == "{}");
  CHECK(
      pyright_settings("[tool.pyright]\nvenv = \".venv\"\nreportMissingImports = true\n"
                       "include = [  # ours\n  'src', \"a]b\",\n]\n[tool.other]\nexclude = []\n") ==
      R"({"include":["src","a]b"],"venv":".venv"})");
}

TEST_CASE("a project's configuration cannot keep bodkin busy, nor exhaust its stack") {
  std::map<std::string, std::string> files;
  const auto read = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  files["tsconfig.json"] = "{\"files\": " + deep + "}";
  CHECK(is_in_project({"tsconfig.json"}, "a.ts", read));  // which cannot be read
  CHECK(missing_of_project("tsconfig.json", read, [](const std::string&) { return true; }) ==
        "cannot be read");
  CHECK(!is_script_project("{\"compilerOptions\": " + deep + "}"));

  std::string stars;
  for (int i = 0; i < 40; ++i) stars += "*a";
  files["tsconfig.json"] = "{\"include\": [\"" + stars + "b\", \"src/**/[id]/?.ts\"]}";
  CHECK(!is_in_project({"tsconfig.json"}, std::string(200, 'a'), read));
  CHECK(is_in_project({"tsconfig.json"}, "src/[id]/a.ts", read));
  CHECK(is_in_project({"tsconfig.json"}, "src/x/y/[id]/a.ts", read));
  CHECK(!is_in_project({"tsconfig.json"}, "src/x/i/a.ts", read));

  files["tsconfig.json"] = "{\"extends\": \"./b.json\"}";
  for (char c = 'b'; c < 'z'; ++c)  // each twice: 2 to the 24th files
    files[std::string(1, c) + ".json"] =
        fmt::format("{{\"extends\": [\"./{0}.json\", \"./{0}.json\"]}}", static_cast<char>(c + 1));
  files["z.json"] = "{}";
  size_t count = 0;
  const auto counted = [&](const std::string& path) {
    ++count;
    return read(path);
  };
  CHECK(is_in_project({"tsconfig.json"}, "a.ts", counted));
  CHECK(count < 100);

  std::string list = "[tool.pyright]\nexclude = [\n";
  for (int i = 0; i < 200'000; ++i) list += "  'x',\n";
  CHECK(pyright_settings(list) == "{}");
}

TEST_CASE("forbids_calls: attributes that make a call an error") {
  CHECK(forbids_calls("void f(void) __attribute__((error(\"no\")));"));
  CHECK(forbids_calls("#define E(m) __attribute__((noinline, __error__ (m)))"));
  CHECK(forbids_calls("[[gnu::error(\"no\")]] void f();"));
  CHECK(!forbids_calls("__attribute__((noreturn)) void f(void);\nvoid error(int n);"));
  CHECK(!forbids_calls("void error(const char *, ...) __attribute__((format(printf, 1, 2)));"));
  CHECK(!forbids_calls("__attribute__((cleanup(free_error))) char *p;"));
}

TEST_CASE("edits of bodies that are compiled where they are defined") {
  const std::pair<const char*, bool> rows[] = {
      {"static inline int f(int n) {\n@  return n;\n}\n", true},
      {"namespace a {\nclass B {\n  int f(int n) {\n@    return n;\n  }\n};\n}\n", true},
      {"auto f(int n) -> int {\n@  return n;\n}\n", true},
      {"template <class T>\nint f(T n) {\n@  return n;\n}\n", false},
      {"template <class T>\nclass B {\n  int f(T n) {\n@    return n;\n  }\n};\n", false},
      {"constexpr int f(int n) {\n@  return n;\n}\n", false},
      {"BOX_CONSTEXPR int f(int n) {\n@  return n;\n}\n", false},
      {"auto f(int n) {\n@  return n;\n}\n", false},
      {"@int f(int n);\n", false},
  };
  for (const auto& [text, is_alone] : rows) {
    CAPTURE(text);
    ChangedFile file;
    file.path = "a.hpp";
    std::string before = text, after = text;
    file.before = Text(before.erase(before.find('@'), 1));
    file.after = Text(after.replace(after.find('@'), 1, "  g(1);\n"));
    CHECK(changes_bodies_alone(file) == is_alone);
  }
}

TEST_CASE("leaves_headers: what lies behind the last #include") {
  ChangedFile file;
  file.path = "a.c";
  file.before = Text("#define A 1\n#include \"b.h\"\nint f(void) { return A; }\n");
  file.after = Text("#define A 2\n#include \"b.h\"\nint f(void) { return A; }\n");
  CHECK(!leaves_headers(file));
  file.after = Text("#define A 1\n#include \"b.h\"\nint f(void) { return 2; }\n");
  CHECK(leaves_headers(file));
  file.after = Text("#define A 1\nint f(void) { return A; }\n");
  CHECK(!leaves_headers(file));
}
