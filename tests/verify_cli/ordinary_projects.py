"""Eight small projects as developers have them: a repository with its build folder and environment, private files beside
the sources, and configurations that name other paths. All of the code is invented."""
import json
import subprocess
import sys

PACKAGES = ".venv/lib/python%d.%d/site-packages" % sys.version_info[:2]
NAMES = ("kettle", "gasket", "ledger", "orchard", "tide", "quill", "moss", "sextant")


def functions(form, count=8):
    return "\n".join(form.replace("@", str(i)).replace("~", str(i + 2)) for i in range(count))


C = """int kettle_level_@(int litres, int lid) {
  int level = litres * ~;
  level = kettle_clamp(level);
  if (lid > 3) {
    level = level - lid;
  }
  return kettle_clamp(level);
}
"""
CPP = """int Gasket::width_@(int rings, const std::string& name) const {
  int width = rings + ~;
  rings_ = width;
  if (name.size() > 3) {
    width = clamped(width);
  }
  return clamped(width);
}
"""
PYTHON = '''
def entry_@(amount: int, name: str) -> int:
    """Of the @th account."""
    total = amount * ~
    if len(name) > 3:
        total = rounded(total)
    for part in name:
        total = total + ord(part)
    return rounded(total)
'''
TS = """export function tree@(rows: number, name: string): number {
  let total = rows * ~;
  total = pruned(total);
  if (name.length > 3) {
    total = total - rows;
  }
  return pruned(total);
}
"""
JS = """function wave@(height, name) {
  let total = height * ~;
  total = steadied(total);
  if (name.length > 3) {
    total = total - height;
  }
  return steadied(total);
}
"""
GO = """func Line@(words int, name string) int {
	total := words * ~
	total = inked(total)
	if len(name) > 3 {
		total = total - words
	}
	return inked(total)
}
"""
RUST = """pub fn patch_@(damp: i32, name: &str) -> i32 {
    let mut total = damp * ~;
    total = dried(total);
    if name.len() > 3 {
        total = total - damp;
    }
    return dried(total);
}
"""
SHELL = """angle_@() {
  local sky="$1"
  if [ -n "$sky" ]; then
    echo "angle ~ of $sky"
  fi
  echo "done"
}
"""


def files_of(name, folder):
    """By path."""
    def database(compiler, *units):
        return json.dumps([{"directory": f"{folder}/build", "file": f"{folder}/{unit}",
                            "command": f"{compiler} -I{folder}/include -o x.o -c {folder}/{unit}"} for unit in units])
    if name == "kettle":
        return {"CMakeLists.txt": "project(kettle C)\nadd_library(kettle src/kettle.c src/lid.c)\n", ".env": "KEY=1\n",
                "build/CMakeFiles/probe/has_it.c": "#include INCLUDED\nint main(void) { return 0; }\n",
                "build/compile_commands.json": database("/usr/bin/cc -std=gnu11 -Wall", "src/kettle.c", "src/lid.c"),
                "include/kettle.h": "#ifndef KETTLE_H\n#define KETTLE_H\n#ifdef __has_include\n#if __has_include(<stdint.h>)\n#include <stdint.h>\n#endif\n#endif\n"
                "int kettle_clamp(int level);\nint kettle_level_1(int litres, int lid);\n#endif\n",
                "src/kettle.c": '#include "kettle.h"\n#include <string.h>\n\nint kettle_clamp(int level) {\n  return level;\n}\n' + functions(C),
                "src/lid.c": '#include "kettle.h"\n\nint lid(void) {\n  return kettle_level_1(1, 2);\n}\n'}
    if name == "gasket":
        return {"CMakeLists.txt": "project(gasket CXX)\n", "build/compile_commands.json": database("/usr/bin/c++ -std=c++17", "src/gasket.cpp", "src/main.cpp"),
                "include/gasket.hpp": "#pragma once\n#include <string>\n\nclass Gasket {\n public:\n"
                + functions("  int width_@(int rings, const std::string& name) const;") + "\n\n private:\n  mutable int rings_ = 0;\n};\n",
                "src/gasket.cpp": '#include "gasket.hpp"\n\n#include <algorithm>\n\nstatic int clamped(int width) {\n  return std::min(width, 90);\n}\n\n' + functions(CPP),
                "src/main.cpp": '#include "gasket.hpp"\n\nint main() {\n  Gasket gasket;\n  return gasket.width_1(3, "a");\n}\n'}
    if name == "ledger":
        return {"pyproject.toml": '[project]\nname = "ledger"\nversion = "1"\n\n[tool.tox]\nwork_dir = "{work}/../tmp/{env}"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
                ".env": "KEY=1\n", f"{PACKAGES}/coinage/__init__.py": "def mint(amount: int) -> int:\n    return amount\n",
                f"{PACKAGES}/coinage/py.typed": "",
                "src/ledger/__init__.py": "from .books import entry_1 as entry_1\n",
                "src/ledger/books.py": "from coinage import mint\n\n\ndef rounded(amount: int) -> int:\n    return mint(amount)\n\n" + functions(PYTHON),
                "examples/shop.py": "import flasket\n\nfrom ledger.books import entry_1\n\nflasket.run(entry_1)\n",
                "tests/test_books.py": "from ledger.books import entry_1\n\n\ndef test_entry() -> None:\n    assert entry_1(1, 'a')\n"}
    if name == "orchard":
        return {"package.json": '{"name": "orchard", "type": "module", "dependencies": {"pruner": "1"}}\n',
                "tsconfig.json": '{\n  // of the sources\n  "compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "types": []},\n  "include": ["src"],\n}\n',
                "node_modules/pruner/package.json": '{"name": "pruner", "version": "1.0.0", "types": "index.d.ts"}\n',
                "node_modules/pruner/index.d.ts": "export function cut(size: number): number;\n",
                "src/trees.ts": 'import { cut } from "pruner";\n\nexport function pruned(size: number): number {\n  return cut(size);\n}\n\n' + functions(TS),
                "src/index.ts": 'export * from "./trees";\n', "examples/page.tsx": 'import React from "react";\nimport { tree1 } from "../src/trees";\n\nexport default () => <p>{tree1(1, "a")}</p>;\n'}
    if name == "tide":
        return {"package.json": '{"name": "tide", "main": "lib/tide.js"}\n', ".env": "KEY=1\n",
                "lib/tide.js": '"use strict";\n\nconst path = require("path");\n\nfunction steadied(height) {\n  return path.sep.length + height;\n}\n\n' + functions(JS) + "\nmodule.exports = { wave1, wave2 };\n",
                "test/tide.js": 'const { wave1 } = require("..");\n\nwave1(1, "a");\n'}
    if name == "quill":
        return {"go.mod": "module example.org/quill\n\ngo 1.20\n", "ink/ink.go": "package ink\n\nimport \"strings\"\n\nfunc inked(total int) int {\n\treturn total + len(strings.TrimSpace(\" a \"))\n}\n\n" + functions(GO),
                "main.go": 'package main\n\nimport "example.org/quill/ink"\n\nfunc main() {\n\tprintln(ink.Line1(1, "a"))\n}\n'}
    if name == "moss":
        return {"Cargo.toml": '[package]\nname = "moss"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
                "src/lib.rs": "pub mod patches;\n", "src/patches.rs": "use std::cmp;\n\nfn dried(total: i32) -> i32 {\n    return cmp::min(total, 90);\n}\n\n" + functions(RUST)}
    return {"bin/sextant.sh": "#!/usr/bin/env bash\nset -e\n\n" + functions(SHELL) + '\nangle_1 "$@"\n', "README.md": "# Sextant\n"}


def make(name, folder):
    """In `folder`, which is there."""
    for path, text in files_of(name, folder).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / ".gitignore").write_text("build/\n.venv/\nnode_modules/\ntarget/\n.env\n")
    for words in (["init", "--quiet"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    if name == "ledger":
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=folder, check=True)
    if name == "moss":
        subprocess.run(["cargo", "generate-lockfile", "--offline"], cwd=folder, check=False, capture_output=True)
