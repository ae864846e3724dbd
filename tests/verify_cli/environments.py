"""Projects that lack what their build needs, for tests/verify_cli/run.py: a right edit of them is never clean, and the
reason says what is missing. The same edit of a project that has it is clean."""

TS = '{"compilerOptions": {"strict": true, "noEmit": true, "module": "commonjs", "moduleResolution": "node", "types": []}%s}\n'
A_TS = "export function twice(n: number): number {\n  return n * 2;\n}\n"
A_PY = "def twice(n: int) -> int:\n    return n * 2\n"
A_GO = "package x\n\nfunc Twice(n int) int {\n\treturn n * 2\n}\n"
A_C = "int twice(int n) {\n  return n * 2;\n}\n"

# server, title, files, the file whose "n * 2" becomes "n + n", a part of the reason; None: it is clean
ENVIRONMENTS = [
    ("typescript-language-server", "complete", {"tsconfig.json": TS % "", "a.ts": A_TS}, "a.ts", None),
    ("typescript-language-server", "base that is a file", {"tsconfig.json": TS % ', "extends": "./base.json"', "a.ts": A_TS}, "a.ts",
     "extends ./base.json, which is missing"),
    ("typescript-language-server", "base of a base", {"tsconfig.json": TS % ', "extends": "./base"', "base.json": '{"extends": "../no/such.json"}', "a.ts": A_TS},
     "a.ts", "extends ../no/such.json, which is missing"),
    ("typescript-language-server", "base that is there", {"tsconfig.json": TS % ', "extends": "./base"', "base.json": '{"compilerOptions": {}}', "a.ts": A_TS},
     "a.ts", None),
    ("typescript-language-server", "base in a package", {"tsconfig.json": TS % ', "extends": "@tsconfig/strictest/tsconfig.json"', "a.ts": A_TS}, "a.ts",
     "extends @tsconfig/strictest/tsconfig.json, which is missing"),
    ("typescript-language-server", "base in a package that is there",
     {"tsconfig.json": TS % ', "extends": "@tsconfig/strictest"', "node_modules/@tsconfig/strictest/tsconfig.json": '{"compilerOptions": {}}', "a.ts": A_TS}, "a.ts", None),
    ("typescript-language-server", "configuration that is broken", {"tsconfig.json": '{"compilerOptions": {', "a.ts": A_TS}, "a.ts", "cannot be read"),
    ("typescript-language-server", "file that no project lists", {"tsconfig.json": TS % ', "files": ["b.ts"]', "b.ts": "export const b = 1;\n", "a.ts": A_TS},
     "a.ts", None),
    ("typescript-language-server", "no inputs", {"tsconfig.json": TS % ', "include": ["src"]', "a.ts": A_TS}, "a.ts", None),
    ("typescript-language-server", "file that a listed one imports",
     {"tsconfig.json": TS % ', "files": ["b.ts"]', "b.ts": "import { twice } from './a';\nexport const b = twice(1);\n", "a.ts": A_TS}, "a.ts", None),
    ("typescript-language-server", "types that are not installed", {"tsconfig.json": (TS % "").replace("[]", '["node"]'), "a.ts": A_TS}, "a.ts",
     "needs the types of node"),
    ("typescript-language-server", "script whose packages have no types",
     {"node_modules/quux/index.js": "exports.q = 1;\n",
      "a.js": "const fs = require('node:fs');\nconst q = require('quux');\n\nfunction twice(n) {\n  return n * 2;\n}\n"
              "fs.writeFileSync(process.argv[2], q.text(twice(1)));\n"}, "a.js", None),
    ("typescript-language-server", "package that is not installed", {"tsconfig.json": TS % "", "a.ts": "import { q } from 'quux';\n" + A_TS + "export const r = q(1);\n"},
     "a.ts", "quux"),
    ("typescript-language-server", "package that is not installed, behind a module",
     {"tsconfig.json": TS % "", "b.ts": "import { q } from 'quux';\nexport const b = q(1);\n", "a.ts": "import { b } from './b';\n" + A_TS + "export const r = twice(b);\n"},
     "a.ts", "quux"),
    ("pyright-langserver", "complete", {"a.py": "import json\n\n\n" + A_PY}, "a.py", None),
    ("pyright-langserver", "base that is a file", {"pyrightconfig.json": '{"extends": "base.json"}', "a.py": A_PY}, "a.py", "extends base.json, which is missing"),
    ("pyright-langserver", "environment that is not there", {"pyrightconfig.json": '{"venvPath": ".", "venv": ".venv"}', "a.py": A_PY}, "a.py",
     "names the environment .venv, which is missing"),
    ("pyright-langserver", "package that is not installed", {"a.py": "import quux\n\n\n" + A_PY}, "a.py", "quux"),
    ("pyright-langserver", "package that is not installed, as a warning",
     {"pyrightconfig.json": '{"reportMissingImports": "warning"}', "a.py": "import quux\n\n\n" + A_PY}, "a.py", "quux"),
    ("pyright-langserver", "package that is not installed, behind a module",
     {"b.py": "import quux\n\nBase = quux.Base\n", "a.py": "from b import Base\n\n\nclass A(Base): ...\n\n\n" + A_PY}, "a.py", "quux"),
    ("pyright-langserver", "package that is not installed, and not needed",
     {"b.py": "try:\n    import quux\nexcept ImportError:\n    quux = None\n\nsize = 1\n", "a.py": "from b import size\n\n\n" + A_PY}, "a.py", None),
    ("pyright-langserver", "package that is not installed, behind another module of the name",
     {"examples/b.py": "import quux\n", "src/b.py": "size = 1\n", "src/a.py": "from .b import size\n\n\n" + A_PY}, "src/a.py", None),
    ("gopls", "complete", {"go.mod": "module example.org/x\n\ngo 1.20\n", "a.go": A_GO}, "a.go", None),
    ("gopls", "module that is not there", {"go.mod": "module example.org/x\n\ngo 1.20\n\nrequire example.org/quux v1.0.0\n",
                                           "a.go": A_GO.replace("\n\n", '\n\nimport "example.org/quux"\n\n', 1) + "\nvar Q = quux.New()\n"}, "a.go", ""),
    ("gopls", "module that nobody requires", {"go.mod": "module example.org/x\n\ngo 1.20\n",
                                              "a.go": A_GO.replace("\n\n", '\n\nimport "example.org/quux"\n\n', 1) + "\nvar Q = quux.New()\n"}, "a.go", ""),
    ("gopls", "workspace without the module", {"go.work": "go 1.20\n\nuse ./b\n", "b/go.mod": "module example.org/b\n\ngo 1.20\n", "b/b.go": "package b\n",
                                               "x/go.mod": "module example.org/x\n\ngo 1.20\n", "x/a.go": A_GO}, "x/a.go", ""),
    ("gopls", "error elsewhere in the package", {"go.mod": "module example.org/x\n\ngo 1.20\n", "b.go": "package x\n\nvar Q = missing()\n", "a.go": A_GO}, "a.go", "go build"),
    ("gopls", "no module", {"a.go": A_GO}, "a.go", "only go build finds all errors of a.go, and it "),
    ("clangd", "complete", {"a.c": A_C}, "a.c", None),
    ("clangd", "public key beside a question for a header",
     {"support/signing.key": "public\n", "a.c": "#ifdef __has_include\n#define HAS(x) __has_include(x)\n#if HAS(<stdio.h>)\n#include <stdio.h>\n#endif\n#endif\n" + A_C},
     "a.c", None),
    ("clangd", "header that is not there", {"a.c": "#include <quux.h>\n" + A_C}, "a.c", "quux.h"),
    ("clangd", "header that is not there, behind a header", {"b.h": "#pragma once\n#include <quux.h>\n", "a.c": '#include "b.h"\n' + A_C}, "a.c", "quux.h"),
]
