#include "agent/suggest/missing_import.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "edits/place/write.h"

using namespace bodkin;

namespace {

struct Project {
  std::map<std::string, Text> files;
  SymbolIndex symbols;

  Project(std::initializer_list<std::pair<const char*, const char*>> texts) {
    for (const auto& [path, text] : texts) {
      files[path] = Text(text);
      if (std::string_view(path).ends_with(".json")) continue;  // no names
      const auto tree = SyntaxTree::parse(*language_of(path), files[path]);
      REQUIRE(tree);
      symbols.set(path, std::make_shared<FileSymbols>(symbols_of(*tree, outline(*tree))));
    }
    symbols.set_complete(true);
  }
  // The file once a line is added at its end.
  std::string with(const std::string& path, const std::string& line) const {
    const Text before = files.at(path), text = before.replace(before.size(), 0, line + "\n");
    const std::string after = taken(path, text, {{}, {line}, before.line_count() - 1}, {});
    return after.empty() ? "" : after.substr(0, after.size() - line.size() - 1);
  }
  // Once what is offered is taken; "": nothing is.
  std::string taken(const std::string& path, const Text& text, const EditedLines& edit,
                    const std::vector<EditedLines>& earlier) const {
    const auto read = [this](const std::string& name) {
      const auto found = files.find(name);
      return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    const auto tree = SyntaxTree::parse(*language_of(path), text);
    REQUIRE(tree);
    const NextEdits next = missing_import(path, *tree, edit, earlier, {symbols, read});
    if (next.edits.empty()) return "";
    CHECK(next.what.starts_with("Import "));
    return with_edits(text, {next.edits[0].change}).str();
  }
};

}  // namespace

TEST_CASE("a name joins the import of the file that declares it") {
  const Project project{{"app/doors.py", "class Door: pass\ndef open_door(): pass\n"},
                        {"app/main.py", "import os\nfrom app.doors import Door\n\nDoor()\n"}};
  CHECK(project.with("app/main.py", "x = open_door()") ==
        "import os\nfrom app.doors import Door, open_door\n\nDoor()\n");
}

TEST_CASE("an import of its own is written as the others are") {
  const Project project{{"app/__init__.py", ""},
                        {"app/doors.py", "def open_door(): pass\n"},
                        {"app/rooms/__init__.py", ""},
                        {"app/rooms/walls.py", "class Wall: pass\n"},
                        {"app/rooms/one.py", "from .walls import Wall\n\n"},
                        {"app/rooms/two.py", "from app.rooms.walls import Wall\n\n"},
                        {"app/rooms/three.py", "import os\n\n"}};
  CHECK(project.with("app/rooms/one.py", "open_door()") ==
        "from .walls import Wall\nfrom ..doors import open_door\n\n");
  CHECK(project.with("app/rooms/two.py", "open_door()") ==
        "from app.rooms.walls import Wall\nfrom app.doors import open_door\n\n");
  CHECK(project.with("app/rooms/three.py", "open_door()") ==
        "import os\nfrom app.doors import open_door\n\n");
}

TEST_CASE("scripts import by a relative path, with the quotes, blanks and ends of the others") {
  const Project project{{"src/doors.ts", "export function openDoor() {}\nfunction hidden() {}\n"},
                        {"src/walls.ts", "export class Wall {}\nexport class Brick {}\n"},
                        {"src/rooms/one.ts", "import {Wall} from \"../walls.js\"\n"},
                        {"src/rooms/two.ts", "import {\n  Wall,\n} from '@/walls';\n"}};
  CHECK(project.with("src/rooms/one.ts", "openDoor()") ==
        "import {Wall} from \"../walls.js\"\nimport {openDoor} from \"../doors.js\"\n");
  CHECK(project.with("src/rooms/two.ts", "openDoor()") ==
        "import {\n  Wall,\n} from '@/walls';\nimport { openDoor } from '@/doors';\n");
  CHECK(project.with("src/rooms/two.ts", "new Brick()") ==
        "import {\n  Wall,\n  Brick,\n} from '@/walls';\n");
  CHECK(project.with("src/rooms/one.ts", "hidden()") == "");
}

TEST_CASE("nothing is offered for a name that may mean something else") {
  const Project project{
      {"doors.py", "def open_door(): pass\ndef print(): pass\ndef shut(): pass\n"},
      {"walls.py", "def shut(): pass\n"},
      {"own.py", "import os\n\ndef f(open_door):\n    pass\n"},
      {"all.py", "import os\nfrom walls import *\n"},
      {"main.py", "import os\n"}};
  CHECK(project.with("main.py", "open_door()") == "import os\nfrom doors import open_door\n");
  for (const char* line :
       {"shut()", "print()", "os.open_door()", "f(open_door=1)", "open_door = 1",
        "for open_door in x: pass", "# open_door()", "x = 'open_door()'", "lambda open_door: 1"})
    CHECK_MESSAGE(project.with("main.py", line) == "", line);
  CHECK(project.with("own.py", "open_door()") == "");
  CHECK(project.with("all.py", "open_door()") == "");
}

TEST_CASE("what another package or a folder's index passes on is not imported past it") {
  const Project project{{"api/package.json", "{}"},
                        {"api/a.ts", "export const one = () => 1;\n"},
                        {"web/package.json", "{}"},
                        {"web/b.ts", "import { x } from './c';\n"},
                        {"web/c.ts", "export const x = 1;\n"},
                        {"web/lib/index.ts", "export * from './deep';\nexport const y = 1;\n"},
                        {"web/lib/deep.ts", "export const two = () => 1;\n"},
                        {"web/d.ts", "import { y } from './lib';\n"}};
  CHECK(project.with("web/b.ts", "one()") == "");
  CHECK(project.with("web/d.ts", "two()") == "");
}

TEST_CASE("a file whose name is no name in an import is not imported") {
  for (const char* path :
       {"my-doors.py", "class.py", "2nd.py", "a b.py", "x\nprint(1)\n#.py", "a;b.py",
        "p\xc3\xa4th.py", "odd dir/doors.py", "__main__.py", "setup.py"}) {
    const Project project{{path, "def open_door(): pass\n"}, {"main.py", "import os\n"}};
    CHECK_MESSAGE(project.with("main.py", "open_door()") == "", path);
  }
  for (const char* path : {"a'b.ts", "a\"b.ts", "a\\b.ts", "a\nb.ts", "a`b.ts", "a\x7f.ts"}) {
    const Project project{{path, "export function openDoor() {}\n"},
                          {"walls.ts", "export class Wall {}\n"},
                          {"main.ts", "import { Wall } from './walls';\n"}};
    CHECK_MESSAGE(project.with("main.ts", "openDoor()") == "", path);
  }
}

TEST_CASE("the first import stands below what is said about the file") {
  const Project project{
      {"doors.py", "def open_door(): pass\n"},
      {"bare.py", "x = 1\n"},
      {"head.py", "#!/usr/bin/env python\n\"\"\"Rooms.\"\"\"\n\n# Of all rooms.\ndef f(): pass\n"},
      {"doc.py", "\"\"\"Rooms.\"\"\"\nx = 1\n"},
      {"doors.ts", "export const openDoor = () => 1;\n"},
      {"walls.ts", "export const a = 'b';\n"},
      {"script.js", "const a = 1;\n"}};
  CHECK(project.with("bare.py", "open_door()") == "from doors import open_door\n\nx = 1\n");
  CHECK(project.with("head.py", "open_door()") ==
        "#!/usr/bin/env python\n\"\"\"Rooms.\"\"\"\n\nfrom doors import open_door\n\n\n"
        "# Of all rooms.\ndef f(): pass\n");
  CHECK(project.with("doc.py", "open_door()") ==
        "\"\"\"Rooms.\"\"\"\n\nfrom doors import open_door\n\nx = 1\n");
  CHECK(project.with("walls.ts", "openDoor()") ==
        "import { openDoor } from './doors';\n\nexport const a = 'b';\n");
  CHECK(project.with("script.js", "openDoor()") == "");
}

TEST_CASE("of two names in a line the second is imported next") {
  const Project project{{"doors.py", "def open_door(): pass\n"},
                        {"walls.py", "def build(): pass\n"},
                        {"main.py", "import os\n\n"}};
  const std::string line = "open_door(build())";
  const Text once("import os\nfrom walls import build\n\n" + line + "\n");
  CHECK(project.taken("main.py", once, {{}, {"from walls import build"}, 1}, {{{}, {line}, 2}}) ==
        "import os\nfrom walls import build\nfrom doors import open_door\n\n" + line + "\n");
}

TEST_CASE("files do not come to import each other") {
  for (const char* line : {"import main", "import os, main as m", "from . import main"}) {
    const Project project{{"doors.py", (line + std::string("\ndef open_door(): pass\n")).c_str()},
                          {"main.py", "import os\n"}};
    CHECK_MESSAGE(project.with("main.py", "open_door()") == "", line);
  }
  const Project project{{"doors.py", "from main import run\n\ndef open_door(): pass\n"},
                        {"main.py", "import os\n"},
                        {"a.ts", "import { b } from './b';\nexport const alpha = () => b;\n"},
                        {"c.ts", "export const c = 1;\n"},
                        {"b.ts", "import { c } from './c';\nexport const b = 1;\n"}};
  CHECK(project.with("main.py", "open_door()") == "");
  CHECK(project.with("b.ts", "alpha()") == "");
}

TEST_CASE("an import is not put into what begins behind another one, nor before its comment") {
  const Project project{{"doors.py", "class Door: pass\ndef open_door(): pass\n"},
                        {"doors.ts", "export const openDoor = () => 1;\n"},
                        {"string.py", "import os; s = \"\"\"\n\"\"\"\n"},
                        {"comment.py", "import os  # first\n"},
                        {"comment.ts", "import { x } from 'y'; /* first\n*/\n"},
                        {"one.py", "from doors import Door  # first\n"},
                        {"lines.py", "from doors import (\n    Door,  # first\n)\n"}};
  CHECK(project.with("string.py", "open_door()") == "");
  CHECK(project.with("comment.ts", "openDoor()") == "");
  CHECK(project.with("comment.py", "open_door()") ==
        "import os  # first\nfrom doors import open_door\n");
  CHECK(project.with("one.py", "open_door()") == "from doors import Door, open_door  # first\n");
  CHECK(project.with("lines.py", "open_door()") == "");
}
