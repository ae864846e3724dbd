"""Edits for classes of faults: each project holds what a verdict must not overlook. A title with a "?" may also be
answered with not_checked."""

MANY = 101  # more users than are asked one by one

TS = ('{"compilerOptions": {"target": "es2020", "module": "esnext", "moduleResolution": "node", "types": [], "composite": true, '
      '"outDir": "out/%s", "lib": [%s]}, "include": ["shared"]}\n')

USER_OF_HEADER = {
    "h.h": "int one(int n);\n",
    "a.c": '#include "h.h"\nint one(int n) { return n; }\n',
    "b.c": '#include "h.h"\nint two(void) { return one(2); }\n',
}
STRICT = ("int f(int k) {\n    int n = 0;\n    switch (k) {\n        case 0:\n            n = 1;\n            break;\n        case 1:\n"
          "            n = 2;\n    }\n    return n;\n}\n")
BETWEEN = {  # a header that mentions what changes, between it and many units that do not
    "core.h": "#pragma once\n\nstruct Meter {\n  int width = 0;\n};\n",
    "mid.h": '#pragma once\n#include "core.h"\n\ninline int measure() {\n  Meter m;\n  return m.width;\n}\n\n'
             "inline int plain(int n) {\n  return n;\n}\n",
    "a.cc": '#include "core.h"\n\nint own() {\n  Meter m;\n  return sizeof(m);\n}\n',
}
MANY_UNITS = 42  # more than are asked without looking which mention what changes
TS_ALL = '{"compilerOptions": {"strict": true, "noEmit": true, "module": "commonjs", "target": "es2020"}, "include": ["*.ts"]}\n'

PROJECTS = {
    "py-many": {
        "core.py": "def _inner(value):\n    return value\n\n\ndef outer(n: int):\n    return _inner(n)\n\n\n"
                   "def apart(amount: int) -> int:\n    return amount\n",
        "u3.py": "from core import outer\n\nvalue = outer\n",
        **{f"v{i}.py": f"from core import outer\n\nr{i}: int = outer({i})\n" for i in range(MANY)},
    },
    "c-many": {
        "m.h": "#pragma once\nstruct item { int weight; int size; };\n#define INNER(p) ((p)->weight)\n\n"
               "int weigh(struct item *one);\n\n#define OUTER(x) (INNER(x) + 1)\n",
        "u3.c": '#include "m.h"\nint direct(struct item *p) { return p->size; }\n',
        **{f"v{i}.c": f'#include "m.h"\nint use{i}(struct item *one) {{ return OUTER(one) + {i}; }}\n' for i in range(25)},
    },
    "ts-shared": {
        "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "./tsconfig.node.json"}]}\n',
        "tsconfig.app.json": TS % ("a", '"es2020", "dom"'),
        "tsconfig.node.json": TS % ("n", '"es2020"'),
        "shared/t.ts": "export const t = (n: string) => 'x' + n;\n",
    },
    "ts-base": {
        "tsconfig.json": '{"extends": "./config/base.json", "compilerOptions": {"noEmit": true}}\n',
        "tsconfig.build.json": '{\n  // what is published\n  "extends": "./tsconfig.json",\n  "compilerOptions": {"outDir": "out"},\n}\n',
        "config/base.json": '{"compilerOptions": {"target": "es2020", "strict": true}}\n',
        "a.ts": "export const m = new Map<string, number>();\n",
        "notes.txt": "abcd\n",
    },
    "cpp-plain": {
        "box.h": "#pragma once\ntemplate <class T> struct Box { T value; };\ntemplate <class T> int operator+(const Box<T>& b, int n) "
                 "{ return b.value.count() + n; }\n",
        "a.cc": '#include "box.h"\nstruct Num { int count() const { return 1; } };\nstruct Bare {};\nint plus(int n) {\n  Box<Num> good;\n'
                "  Box<Bare> bad;\n  int sum = 0;\n  sum = good + n;\n  sum = sum + 1;\n  return sum;\n}\n",
        "f.cc": "#include <functional>\n#include <memory>\nstruct F {\n  std::unique_ptr<int> p;\n  int operator()() const { return *p; }\n};\n"
                "struct G {\n  int operator()() const { return 1; }\n};\nstd::function<int()> make() {\n  F f;\n  G g;\n  return g;\n}\n",
    },
    # What ordinary projects have beside their code: git's folder, private files, a system's own macros, CMake's probes.
    "c-ordinary": {
        ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n", ".env": "TOKEN=1\n",
        "build/CMakeFiles/probe.c": "#if defined(X)\n#include X\n#endif\nint main(void) { return 0; }\n",
        "lib.h": "#pragma once\n#ifdef _WIN32\n#define API __declspec(dllimport)\n#else\n#define API\n#endif\n"
                 "#ifdef __has_include\n#if __has_include(<stdint.h>)\n#include <stdint.h>\n#endif\n#endif\nAPI int one(int n);\n",
        "lib.c": '#include "lib.h"\n\n/* Returns n. */\nint one(int n) { return n; }\n',
        "use.c": '#include "lib.h"\n\nint two(void) { return one(2); }\n',
    },
    "py-ordinary": {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.runner]\nhome = "{work}/tmp/{name}"\n',
        "shop.py": "from not_installed_here import run\n\n\ndef price(n: int) -> int:\n    run(n)\n    return n\n",
        "tax.py": "def tax(n: int) -> int:\n    # Rounded down.\n    return n // 5\n",
    },
    "ts-loose": {
        "tsconfig.json": '{"compilerOptions": {"noEmit": true, "types": []}, "include": ["src"]}\n',
        "src/a.ts": "export function size(n) {\n  return n.length;\n}\n",
    },
    "c-link": {"lib.h": "int one(int n);\nint two(int n);\nint three(int n);\n",
               "lib.c": '#include "lib.h"\n\nint one(int n) {\n  return n;\n}\n\nint two(int n) {\n  return one(n) + 1;\n}\n',
               "use.c": '#include "lib.h"\n\nint use(void) {\n  return one(1);\n}\n'},
    "cpp-link": {"box.h": "#pragma once\nclass Box {\n public:\n  Box(int size, int depth = 1);\n  int size() const;\n\n private:\n  int size_;\n};\n"
                          "int volume(const Box& box);\n",
                 "box.cc": '#include "box.h"\n\nBox::Box(int size, int depth) : size_(size * depth) {}\n\nint Box::size() const {\n  return size_;\n}\n\n'
                           "int volume(const Box& box) {\n  return box.size();\n}\n",
                 "use.cc": '#include "box.h"\n\nint use() {\n  return volume(Box(2));\n}\n'},
    "ts-node": {"package.json": '{"name": "reed", "type": "module", "main": "reed.js"}\n',
                "reed.js": 'import { path } from "./lib/bank.js";\n\nexport const reed = () => path("a");\n',
                "lib/bank.js": 'export function path(name) {\n  return "/" + name;\n}\n\nexport function twice(name) {\n  return path(name) + path(name);\n}\n',
                "old.cjs": 'const { sep } = require("path");\n\nmodule.exports = { sep };\n'},
    "ts-bundled": {"package.json": '{"name": "rush", "type": "module", "scripts": {"build": "bundle"}}\n',
                   "rush.js": 'import { path } from "./bank";\n\nexport const rush = () => path("a");\n',
                   "bank.js": 'export function path(name) {\n  return "/" + name;\n}\n', "tip.js": "export const tip = 1;\n"},
    "ts-script": {"plain.js": "function total(list) {\n  return list.length;\n}\nmodule.exports = total;\n"},
    "cpp-newer": {  # than what Debian 12's clangd knows
        "a.cc": "#include <algorithm>\n#include <vector>\n\nvoid both(std::vector<int>& a) {\n  std::ranges::sort(a);\n}\n",
    },
    "c-order": {
        "v.h": "static inline int vec_limit(void) { return INT_MAX; }\n",
        "a.c": '#include <limits.h>\n#include "v.h"\n\nint f(void) { return vec_limit(); }\n',
        "w.h": "static inline int cmp(int a, int b) { return CMP(a, b); }\n",
        "b.c": '#define CMP(a, b) ((a) - (b))\n#include "w.h"\n\nint g(void) { return cmp(1, 2); }\n',
    },
    "c-relative": {**USER_OF_HEADER, "strict.c": STRICT, "forced.h": "#define LIMIT 4\n",
                   "c.c": "int limit(void) { return LIMIT; }\n", "d.c": '#include "forced.h"\nint d;\n'},
    "c-elsewhere": USER_OF_HEADER,
    "c-part": {**USER_OF_HEADER, "windows.c": '#include <windows.h>\n#include "h.h"\nint three(void) { return one(3); }\n'},
    "c-launcher": {"a.c": STRICT},
    "c-data": {
        "types.h": "typedef struct pair { int first; int second; } pair_t;\n",
        "gen.dat": '#include "types.h"\nstatic int first_of(pair_t *p) { return p->first; }\n',
        "a.c": '#include "gen.dat"\nint one(pair_t *p) { return first_of(p); }\n',
        "b.c": '#include "types.h"\nint two(pair_t *p) { return p->second; }\n',
    },
    "c-response": {
        "opts.rsp": "-include forced.h\n", "forced.h": "#define LIMIT 4\n",
        "c.c": "int limit(void) { return LIMIT; }\n",
    },
    "c-other": {"a.c": "int kind(int k) {\n    int n = 0;\n    switch (k) {\n    case 0:\n        n = 1;\n        break;\n    default:\n"
                       "        break;\n    }\n    return n;\n}\n"},
    "cpp-other": {
        "a.cc": "struct Status {\n  int code = 0;\n};\nclass Table {\n public:\n  Status Check() const;\n};\n",
        "b.cc": "#include <map>\nint total(const std::map<int, int>& all) {\n  int sum = 0;\n  for (const auto& [key, value] : all) {\n"
                "    sum += value;\n  }\n  return sum;\n}\n",
    },
    "cpp-constant": {
        "fix.h": '#pragma once\ntemplate <int N>\nint check() {\n  static_assert(N > 2, "N");\n  return N;\n}\n',
        "a.cc": '#include "fix.h"\n\nconstexpr int size(int n) {\n  int r = 0;\n  r = n + 1;\n  return r;\n}\n\n'
                "int go() { return check<size(2)>(); }\n",
    },
    "cpp-between": {**BETWEEN, **{f"u{i}.cc": f'#include "mid.h"\n\nint use{i}(int n) {{\n  return plain(n) + {i};\n}}\n'
                                  for i in range(MANY_UNITS)}},
    "cpp-central": {**BETWEEN, **{f"u{i}.cc": f'#include "mid.h"\n\nint use{i}(int n) {{\n  return plain(n) + measure() + {i};\n}}\n'
                                  for i in range(MANY_UNITS)}},
    "ts-globals": {
        "tsconfig.json": TS_ALL,
        "globals.ts": "export {};\ndeclare global {\n  interface Window {\n    appLevel: number;\n  }\n}\n",
        "user.ts": "export const level: number = window.appLevel;\n",
        "plain.ts": "interface Shape {\n  side: number;\n}\n",
        "shape.ts": "export const area = (s: Shape): number => s.side * s.side;\n",
        "aug.ts": "import './target';\ndeclare module './target' {\n  interface Target {\n    extra: number;\n  }\n}\n",
        "target.ts": "export interface Target {\n  own: string;\n}\n",
        "tuser.ts": "import { Target } from './target';\nexport const e = (t: Target): number => t.extra + t.own.length;\n",
        **{f"u{i}.ts": f"export const r{i} = {i};\n" for i in range(200)},
    },
    "ts-hidden": {
        "tsconfig.json": TS_ALL.replace('"strict"', '"allowJs": true, "strict"').replace("*.ts", "**/*"),
        "x.js": "exports.one = 1;\n", "a.ts": "import { one } from './x';\nexport const two: number = one;\n",
        "m/index.ts": "export const one = 1;\n", "b.ts": "import { one } from './m';\nexport const two: number = one;\n",
    },
    "ts-with": {
        "tsconfig.json": TS_ALL.replace('"strict"', '"esModuleInterop": true, "lib": ["es5"], "resolveJsonModule": true, "strict"'),
        "cfg.json": '{"port": 80}\n', "a.ts": "import cfg from './cfg.json';\nexport const port: number = cfg.port;\n",
    },
    "ts-listed": {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true}, "files": ["a.ts", "b.ts"]}\n',
        "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n",
    },
    "ts-excluded": {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true}, "include": ["src"], "exclude": ["src/legacy"]}\n',
        "src/a.ts": "export const a = 1;\n",
        "src/legacy/old.ts": "import { a } from '../a';\nexport const o: number = a;\n",
    },
    "py-excluded": {
        "pyrightconfig.json": '{"include": ["src"], "exclude": ["src/old"]}\n',
        "src/app.py": "value: int = 1\n",
        "src/old/legacy.py": "from app import value\n\nresult: int = value + 1\n",
    },
    "sh-bash": {"run.sh": '#!/bin/bash\nset -eu\nkeep=1\necho "$keep"\n', "dash.sh": '#!/bin/sh\nkeep=1\necho "$keep"\n'},
    "go-tags": {
        "go.mod": "module example.org/x\n\ngo 1.21\n",
        "use.go": "package x\n\nfunc F() int { return helper() }\n",
        "help.go": "package x\n\nfunc helper() int { return 1 }\n",
    },
    "go-nested": {
        "go.mod": "module example.org/x\n\ngo 1.21\n\nrequire example.org/x/inner v0.0.0\n\nreplace example.org/x/inner => ./inner\n",
        "use.go": 'package x\n\nimport "example.org/x/inner"\n\nfunc F() int { return inner.G() }\n',
        "inner/go.mod": "module example.org/x/inner\n\ngo 1.21\n",
        "inner/g.go": "package inner\n\nfunc G() int { return 1 }\n",
    },
    "c-strict": {
        "a.c": "int f(int k) {\n    int n = 0;\n    switch (k) {\n        case 0:\n            n = 1;\n            break;\n        case 1:\n"
               "            n = 2;\n    }\n    return n;\n}\n",
    },
    "c-gcc": {"a.c": "int f(int k) {\n    return k;\n}\n"},
    "c-flags": {
        "compile_flags.txt": "-include\nforced.h\n", "forced.h": "#define LIMIT 4\n", "b.c": '#include "forced.h"\nint b;\n',
        "c.c": "int limit(void) { return LIMIT; }\n",
    },
    "c-clangd": {
        ".clangd": "CompileFlags:\n  Add: [-include, forced.h]\n", "forced.h": "#define LIMIT 4\n", "b.c": '#include "forced.h"\nint b;\n',
        "c.c": "int limit(void) { return LIMIT; }\n",
    },
    "c-suppress": {".clangd": "Diagnostics:\n  Suppress: [unused-includes, undeclared_var_use]\n", "a.c": "int f(int k) {\n    return k;\n}\n"},
    "c-remarked": {".clangd": "Diagnostics:\n  Suppress:\n    # of old code\n    - undeclared_var_use\n", "a.c": "int f(int k) {\n    return k;\n}\n"},
    "c-hyphens": {".clangd": "Diagnostics:\n  Suppress: [unused-includes, -Wunused]\n", "a.c": "int f(int k) {\n    return k;\n}\n"},
    "c-late": {
        "asm.c": 'int f(int x) {\n    __asm__(\n        "nop");\n    return x;\n}\n',
        "text.c": 'int f(int x) {\n    __asm__("nop # :)\\n\\t"\n            "nop");\n    return x;\n}\n',
        "alias.c": 'int real(void) { return 1; }\nint other(void)\n    __attribute__((alias("real")));\n',
        "error.c": 'void bad(void) __attribute__((error("no")));\nint f(int x) {\n    return x;\n}\n',
    },
    "c-call": {
        "check.h": '#pragma once\nextern void __attribute__((error("too big"))) bad_size(void);\n'
                   "static inline __attribute__((always_inline)) int limited(int n) {\n"
                   "    if (__builtin_constant_p(n) && n > 16)\n        bad_size();\n    return n;\n}\n",
        "a.c": '#include "check.h"\nint f(int x) {\n    return x;\n}\nint g(int x) {\n    return limited(4) + x;\n}\n',
    },
    "c-fortified": {
        "a.c": "#include <fcntl.h>\nint f(const char *path) {\n    return open(path, O_RDONLY);\n}\n"
               "#include <immintrin.h>\nint g(int n) {\n    return n;\n}\n",
    },
    "c-gnu": {"a.c": "int f(int n) {\n    return n;\n}\nint g(int n) {\n    int add(int m) { return m + n; }\n    return add(1);\n}\n"},
    "c-made": {"CMakeLists.txt": "add_library(x a.c)\n", "a.c": "int f(int n) {\n    return n;\n}\n"},
    "ts-named": {
        "tsconfig.json": TS_ALL.replace('"strict": true, ', "").replace("*.ts", "src"),
        "configs/build.json": '{"extends": "../tsconfig.json", "compilerOptions": {"strict": true}, "include": ["../src", "../tests"]}\n',
        "src/a.ts": "export function size(s: string): number {\n  return s.length;\n}\n",
        "tests/t.ts": "import { size } from '../src/a';\nexport const t: number = size('x');\n",
    },
    "py-project": {
        "pyproject.toml": '[project]\nname = "x"\n\n[tool.pyright]\ninclude = [\n  "src",  # ours\n]\nignore = ["src/made"]\n',
        "src/app.py": "value: int = 1\n", "src/user.py": "from app import value\n\nresult: int = value\n",
        "src/made/m.py": "from app import value\n\nresult: int = value\n",
        "old/legacy.py": "from src.app import value\n\nresult: int = value + 1\n",
    },
    "go-systems": {
        "go.mod": "module example.org/x\n\ngo 1.21\n", "use.go": "package x\n\nvar Name = system\n",
        "here.go": '//go:build linux\n\npackage x\n\nconst system = "here"\n',
        "there.go": '//go:build windows\n\npackage x\n\nconst system = "there"\n',
        "tools/gen.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
    },
    "rs-generic": {
        "Cargo.toml": '[package]\nname = "d"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "d"\nversion = "0.1.0"\n',
        "src/lib.rs": "struct Sized<const N: usize>;\n\nimpl<const N: usize> Sized<N> {\n    const OK: () = assert!(N > 2);\n"
                      "    fn get() -> usize {\n        let _ = Self::OK;\n        N\n    }\n}\n\n"
                      "pub fn f() -> usize {\n    Sized::<4>::get()\n}\n",
    },
    "rs-called": {
        "Cargo.toml": '[package]\nname = "d"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "d"\nversion = "0.1.0"\n',
        "src/lib.rs": "struct Sized<const N: usize>;\n\nimpl<const N: usize> Sized<N> {\n    const OK: u8 = nth(N);\n"
                      "    fn get() -> u8 {\n        Self::OK\n    }\n}\n\nconst fn nth(n: usize) -> u8 {\n    [9, 8, 7][5 - n]\n}\n\n"
                      "pub fn f() -> u8 {\n    Sized::<4>::get()\n}\n",
    },
    "go-vendor": {
        "go.mod": "module example.org/x\n\ngo 1.21\n\nrequire example.org/dep v1.0.0\n",
        "vendor/modules.txt": "# example.org/dep v1.0.0\n## explicit; go 1.21\nexample.org/dep\n",
        "vendor/example.org/dep/d.go": "package dep\n\nfunc D() int { return 1 }\n",
        "a.go": 'package x\n\nimport "example.org/dep"\n\nfunc A() int { return dep.D() }\n',
    },
    "go-newer": {"go.mod": "module example.org/x\n\ngo 1.24\n", "a.go": "package x\n\nfunc F() int { return 1 }\n"},
    "go-with": {"go.mod": "module example.org/x\n\ngo 1.21\n", "a.go": "package x\n\nfunc F() int { return 1 }\n"},
    "py-with": {"pyrightconfig.json": '{"extraPaths": []}\n', "lib/m.py": "X: int = 1\n", "a.py": "y: int = 1\n"},
    "c-with": {"compile_flags.txt": "-Wall\n", "a.c": "int f(int k) {\n    return k;\n}\n"},
    "go-embed": {
        "go.mod": "module example.org/x\n\ngo 1.21\n", "t/one.txt": "one\n",
        "a.go": 'package x\n\nimport _ "embed"\n\n//go:embed t/*.txt\nvar S string\n\nfunc F() string { return S }\n',
    },
    "go-build": {
        "go.mod": "module example.org/x\n\ngo 1.20\n",
        "a.go": "package x\n\nvar X = 1\n\nfunc F() int { return 1 }\n\nfunc G(any interface{}) interface{} {\n\treturn any\n}\n",
        "cmd/a.go": "package main\n\nfunc main() {}\n\nfunc other() {}\n",
    },
    "rs-script": {
        "Cargo.toml": '[package]\nname = "d"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "d"\nversion = "0.1.0"\n',
        "build.rs": 'fn main() {\n    for file in std::fs::read_dir("data").unwrap() {\n        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();\n'
                    '        assert!(text.starts_with("ok"));\n    }\n}\n',
        "data/one.txt": "ok\n", "README.md": "one\n", "src/lib.rs": "pub fn f() -> u8 { 1 }\n",
    },
    "rs-data": {
        "Cargo.toml": '[package]\nname = "d"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "d"\nversion = "0.1.0"\n',
        "src/lib.rs": 'pub static MAGIC: &[u8; 5] = include_bytes!("magic.txt");\n',
        "src/magic.txt": "abcd\n",
        "notes.txt": "abcd\n",
        ".cargo/config.toml": "[build]\nrustflags = []\n",
    },
}

FLAGS = {"c-call": "gcc -O2 -Wall", "c-fortified": "gcc -O2 -D_FORTIFY_SOURCE=2", "c-gnu": "gcc -std=gnu11", "cpp-newer": "g++ -std=c++23", "c-strict": "gcc -std=c11 -Wall -Wextra -Werror", "c-gcc": "gcc -std=c11 -fno-var-tracking-assignments",
         "c-launcher": "ccache gcc -Wall -Wextra -Werror", "c-response": "gcc @opts.rsp", "c-other": "gcc -std=gnu11"}
# How a project's compilation database differs from the ordinary one: the folder that it names, flags of single units,
# the units that it has, the flags that the build has after the edit.
DATABASES = {
    "c-relative": {"directory": ".", "flags": {"c.c": "-include forced.h", "strict.c": "-Wall -Wextra -Werror"}},
    "c-elsewhere": {"directory": "/builds/x"},
    "c-flags": {"units": [], "flags": {"c.c": "-include forced.h"}},
    "c-clangd": {"units": [], "flags": {"c.c": "-include forced.h"}},
    "c-with": {"units": [], "flags": {"a.c": "-DLIMIT=1"}},
    "c-suppress": {"units": []}, "c-hyphens": {"units": []},
    "c-part": {"units": ["a.c"]}, "c-gnu": {"units": []}, "c-made": {"later": {"a.c": "-DLIMIT=1"}},
}

CASES = [
    ("c-ordinary", "right", [], [("lib.c", "return n;", "return n + 1;")]),
    ("c-ordinary", "unknown name", [], [("lib.c", "return n;", "return m;")]),
    ("c-ordinary", "a comment of a header's body", [], [("lib.c", "/* Returns n. */", "/* The same. */")]),
    ("c-ordinary", "new file in a new folder", [], [("tests/try.c", None, '#include "../lib.h"\nint three(void) { return one(3); }\n')]),
    ("py-ordinary", "right, and another tool's path", [], [("tax.py", "n // 5", "n // 4")]),
    ("py-ordinary", "wrong type", [], [("tax.py", "n // 5", "str(n)")]),
    ("py-ordinary", "a comment", [], [("tax.py", "# Rounded down.", "# In whole cents.")]),
    ("py-ordinary", "a module of a package that is missing", [], [("shop.py", "import run\n", "import run\nfrom not_installed_here.extra import walk\n")]),
    ("c-link", "definition that is gone", [], [("lib.c", "int one(int n) {", "int won(int n) {"), ("lib.c", "one(n) + 1", "n + 1")]),
    ("c-link", "definition that nobody uses is gone?", [], [("lib.c", "int two(int n) {", "int too(int n) {")]),
    ("c-link", "renamed everywhere", [], [("lib.h", "int one(", "int won("), ("lib.c", "int one(int n) {", "int won(int n) {"),
                                         ("lib.c", "one(n) + 1", "won(n) + 1"), ("use.c", "one(1)", "won(1)")]),
    ("c-link", "definition in a new file", [], [("lib.c", "int two(int n) {\n  return one(n) + 1;\n}\n", ""),
                                               ("two.c", None, '#include "lib.h"\n\nint two(int n) {\n  return one(n) + 1;\n}\n')]),
    ("c-link", "call of what was never defined?", [], [("use.c", "one(1)", "three(1)")]),
    ("c-link", "new declaration without a definition?", [], [("lib.h", "int three(int n);", "int three(int n);\nint four(int n);"), ("use.c", "one(1)", "four(1)")]),
    ("cpp-link", "definition with another parameter", [], [("box.cc", "int volume(const Box& box) {", "int volume(const Box& box, int times) {"), ("box.cc", "return box.size();", "return box.size() * times;")]),
    ("cpp-link", "constructor that is gone", [], [("box.cc", "Box::Box(int size, int depth) : size_(size * depth) {}\n\n", "")]),
    ("cpp-link", "definition in the class", [], [("box.cc", "int Box::size() const {\n  return size_;\n}\n\n", ""), ("box.h", "int size() const;", "int size() const { return size_; }")]),
    ("ts-node", "import without an extension", [], [("reed.js", "export const reed", 'import { twice } from "./lib/bank";\n\nexport const reed')]),
    ("ts-node", "import of a folder", [], [("reed.js", '"./lib/bank.js"', '"./lib"')]),
    ("ts-node", "import with its extension", [], [("reed.js", "import { path }", "import { twice as path }")]),
    ("ts-node", "name that a module does not export", [], [("reed.js", "import { path }", "import { path, thrice }")]),
    ("ts-node", "require in an ES module", [], [("lib/bank.js", "export function twice", 'const { sep } = require("path");\n\nexport function twice')]),
    ("ts-node", "exports of CommonJS in an ES module", [], [("lib/bank.js", "export function twice", 'module.exports = { path };\n\nexport function twice')]),
    ("ts-node", "require that it makes", [], [("lib/bank.js", "export function path", 'import { createRequire } from "module";\n\nconst require = createRequire(import.meta.url);\n'
                                                                    'export const { sep } = require("path");\n\nexport function path')]),
    ("ts-node", "import in a CommonJS module", [], [("old.cjs", 'const { sep } = require("path");', 'import { sep } from "path";')]),
    ("ts-bundled", "import without an extension, as the others", [], [("rush.js", 'export const rush = () => path("a")', 'import { tip } from "./tip";\n\nexport const rush = () => path("a") + tip')]),
    ("ts-script", "names that nothing declares", [], [("plain.js", "list.length", "list.length + extra")]),
    ("ts-script", "member that nobody has named?", [], [("plain.js", "list.length", "list.lenght")]),
    ("ts-script", "common member of what has no type?", [], [("plain.js", "list.length", "list.length.concat(list)")]),
    ("ts-script", "right, and all of its names are known", [], [("plain.js", "list.length", "list.length + total.length")]),
    ("ts-script", "new script that a test would be", [], [("test/plain.js", None, "const total = require('../plain');\n\ntotal([]);\n")]),
    ("ts-script", "new script without its import", [], [("test/plain.js", None, "total([]);\n")]),
    ("ts-loose", "member of what has no type?", [], [("src/a.ts", "n.length", "n.lenght")]),
    ("ts-loose", "test that no project includes", [], [("test/a.ts", None, "import { size } from '../src/a';\n\nexport const two: number = size('ab');\n")]),
    ("ts-loose", "test of a name that is not exported", [], [("test/a.ts", None, "import { width } from '../src/a';\n\nexport const two: number = width('ab');\n")]),
    ("py-ordinary", "member of what has no type?", [], [("tax.py", "def tax(n: int) -> int:\n    # Rounded down.\n    return n // 5\n", "def tax(n):\n    return n.fifht()\n")]),
    ("py-ordinary", "common member of what has no type?", [], [("tax.py", "def tax(n: int) -> int:\n    # Rounded down.\n    return n // 5\n", "def tax(n):\n    return n.append(5)\n")]),
    ("py-ordinary", "new file with a member of what has no type?", [], [("levy.py", None, "def levy(n):\n    return n.fifht()\n")]),
    ("c-ordinary", "call of what is defined nowhere", [], [("lib.c", "return n;", "return oen(n);")]),
    ("c-ordinary", "call of the library without its header", [], [("lib.c", "return n;", "return n + (int)strlen(\"a\");")]),
    ("go-newer", "what gopls may not know", [], [("a.go", "func F() int { return 1 }", "type Pairs[T comparable] = map[T]T\n\nfunc F() int { return 1 }")]),
    ("ts-script", "right, which nobody can know", [], [("plain.js", "list.length", "list.size")]),
    ("cpp-newer", "what clangd misreads is right", [], [("a.cc", "  std::ranges::sort(a);\n", "  std::ranges::sort(a);\n  std::ranges::reverse(a);\n")]),
    ("cpp-newer", "what clangd misreads is wrong", [], [("a.cc", "  std::ranges::sort(a);\n", "  std::ranges::sort(a);\n  std::ranges::nothing(a);\n")]),
    ("py-many", "what users reach through the file's own functions?", [], [("core.py", "    return value", "    return [value]")]),
    ("py-many", "what nobody uses?", [], [("core.py", "    return amount\n", "    return amount + 1\n")]),
    ("c-many", "what users reach through the header's own macros?", [], [("m.h", "((p)->weight)", "((p)->wait)")]),
    ("ts-shared", "right for one project only?", [], [("shared/t.ts", "'x' + n", "window.location.href + n")]),
    ("ts-base", "a base that is extended?", [], [("config/base.json", "es2020", "es5")]),
    ("ts-base", "projects that differ in what they write", [], [("a.ts", "number>()", "number>([])")]),
    ("cpp-plain", "operator that is a template", [], [("a.cc", "sum = good + n;", "sum = bad + n;")]),
    ("cpp-plain", "operators of numbers", [], [("a.cc", "sum = sum + 1;", "sum = sum + 2;")]),
    ("cpp-plain", "conversion by a template", [], [("f.cc", "return g;", "return f;")]),
    ("c-order", "include that a header's body needs", [], [("a.c", '#include <limits.h>\n', "")]),
    ("c-order", "macro that a header's body needs", [], [("b.c", "((a) - (b))", "((a) - missing)")]),
    ("c-order", "body behind the includes", [], [("a.c", "return vec_limit();", "return vec_limit() - 1;")]),
    ("c-strict", "a warning of gcc alone?", [], [("a.c", "            n = 1;\n            break;\n", "            n = 1;\n")]),
    ("c-strict", "right", [], [("a.c", "            n = 2;\n", "            n = 3;\n")]),
    ("c-gcc", "right, with an option of gcc alone", [], [("a.c", "return k;", "return k + 1;")]),
    ("c-flags", "header that compile_flags.txt includes", [], [("forced.h", "LIMIT 4", "BOUND 4")]),
    ("c-flags", "right", [], [("forced.h", "LIMIT 4", "LIMIT 5")]),
    ("c-clangd", "header that .clangd includes", [], [("forced.h", "LIMIT 4", "BOUND 4")]),
    ("c-suppress", "an error that .clangd suppresses?", [], [("a.c", "return k;", "return j;")]),
    ("c-remarked", "an error that .clangd suppresses below a comment?", [], [("a.c", "return k;", "return j;")]),
    ("c-hyphens", "right, and .clangd suppresses warnings", [], [("a.c", "return k;", "return k + 1;")]),
    ("c-late", "assembly", [], [("asm.c", '"nop"', '"noppp"')]),
    ("c-late", "right assembly", [], [("asm.c", '"nop"', '"nop; nop"')]),
    ("c-late", "assembly behind a parenthesis in a string", [], [("text.c", '            "nop"', '            "noppp"')]),
    ("c-late", "target of an alias", [], [("alias.c", "int real(void)", "int reel(void)")]),
    ("c-late", "attribute", [], [("error.c", "    return x;\n", "    return x + 1;\n}\n\nstatic inline __attribute__((always_inline)) int g(int n, ...) {\n"
                                  "    __builtin_va_list v;\n    __builtin_va_start(v, n);\n    return n;\n}\n\nint h(int x) {\n    return g(x);\n")]),
    ("c-call", "call that is forbidden", [], [("a.c", "    return x;", "    bad_size();\n    return x;")]),
    ("c-call", "call that is left when code is generated", [], [("a.c", "limited(4)", "limited(44)")]),
    ("c-call", "limit in a header", [], [("check.h", "n > 16", "n > 2")]),
    ("c-call", "right", [], [("a.c", "limited(4)", "limited(14)")]),
    ("c-fortified", "argument that only the library misses", [], [("a.c", "O_RDONLY", "O_RDONLY | O_CREAT")]),
    ("c-fortified", "right arguments", [], [("a.c", "O_RDONLY", "O_RDONLY | O_CREAT, 0600")]),
    ("c-fortified", "instruction of another processor", [], [("a.c", "return n;", "return _mm256_extract_epi32(_mm256_set1_epi32(n), 1);")]),
    ("c-fortified", "instruction of every processor", [], [("a.c", "return n;", "return _mm_cvtsi128_si32(_mm_set1_epi32(n));")]),
    ("c-gnu", "function in a function?", [], [("a.c", "    return n;\n}\nint g", "    int twice(int m) { return m * 2; }\n    return twice(n);\n}\nint g")]),
    ("c-gnu", "wrong beside a function in a function", [], [("a.c", "    return n;\n}\nint g", "    return m;\n}\nint g")]),
    ("c-made", "definition that the build makes?", [], [("CMakeLists.txt", "a.c)", "a.c)\nadd_definitions(-DLIMIT=1)"), ("a.c", "return n;", "return n + LIMIT;")]),
    ("ts-named", "wrong for a project of another name?", [], [("src/a.ts", "s: string", "s")]),
    ("ts-named", "user in a project of another name", [], [("src/a.ts", "number {\n  return s.length", "string {\n  return s")]),
    ("ts-named", "file of a project of another name?", [], [("tests/t.ts", "size('x')", "size('xy')")]),
    ("py-project", "users that pyproject.toml leaves out", [], [("src/app.py", "value: int = 1", 'value: str = "1"'), ("src/user.py", "result: int", "result: str")]),
    ("py-project", "user that it includes", [], [("src/app.py", "value: int = 1", 'value: str = "1"')]),
    ("go-systems", "wrong on another system?", [], [("there.go", "const system", "const other")]),
    ("go-systems", "wrong on this system", [], [("here.go", "const system", "const other")]),
    ("go-systems", "program that is no part of the module?", [], [("tools/gen.go", "main() {}", "main() { missing() }")]),
    ("rs-generic", "constant that fails for an argument", [], [("src/lib.rs", "Sized::<4>", "Sized::<1>")]),
    ("rs-generic", "right", [], [("src/lib.rs", "Sized::<4>", "Sized::<5>")]),
    ("rs-called", "constant of a function that fails for an argument", [], [("src/lib.rs", "Sized::<4>", "Sized::<1>")]),
    ("rs-called", "right", [], [("src/lib.rs", "Sized::<4>", "Sized::<5>")]),
    ("c-gcc", "wrong, with an option of gcc alone", [], [("a.c", "return k;", "return j;")]),
    ("go-build", "function without a body", [], [("a.go", "func F() int { return 1 }", "func F() int")]),
    ("go-build", "directive in the wrong place", [], [("a.go", "var X = 1", "//go:noinline\nvar X = 1")]),
    ("go-build", "directive in its place", [], [("a.go", "func F() int {", "//go:noinline\nfunc F() int {")]),
    ("go-build", "program without main", [], [("cmd/a.go", "func main() {}", "func start() {}")]),
    ("go-build", "program with main", [], [("cmd/a.go", "func other() {}", "func another() {}")]),
    ("rs-script", "file that a build script reads?", [], [("data/one.txt", "ok", "no")]),
    ("rs-script", "prose beside a build script", [], [("README.md", "one", "two")]),
    ("rs-data", "file that is compiled in?", [], [("src/magic.txt", "abcd", "abcdefg")]),
    ("rs-data", "flags of the build?", [], [(".cargo/config.toml", "rustflags = []", 'rustflags = ["-D", "missing_docs"]')]),
    ("ts-base", "file that nothing reads", [], [("notes.txt", "abcd", "abcdefg")]),
    ("rs-data", "file that nothing reads", [], [("notes.txt", "abcd", "abcdefg")]),
    ("c-relative", "user of a header", [], [("h.h", "int one(int n);", "int one(int n, int m);"), ("a.c", "int one(int n) { return n; }", "int one(int n, int m) { return n + m; }")]),
    ("c-relative", "a warning of gcc alone", [], [("strict.c", "            n = 1;\n            break;\n", "            n = 1;\n")]),
    ("c-relative", "header that a command includes", [], [("forced.h", "LIMIT 4", "BOUND 4")]),
    ("c-relative", "right", [], [("a.c", "return n;", "return n + 1;")]),
    ("c-elsewhere", "user of a header?", [], [("h.h", "int one(int n);", "int one(int n, int m);"), ("a.c", "int one(int n) { return n; }", "int one(int n, int m) { return n + m; }")]),
    ("c-part", "user that the database does not have?", [], [("h.h", "int one(int n);", "int one(int n, int m);"), ("a.c", "int one(int n) { return n; }", "int one(int n, int m) { return n + m; }")]),
    ("c-part", "right, and a user that this machine cannot compile", [], [("h.h", "int one(int n);", "int one(int n);\nint four(int n);")]),
    ("c-launcher", "a warning of gcc alone", [], [("a.c", "            n = 1;\n            break;\n", "            n = 1;\n")]),
    ("c-data", "user through a file that has no name of a source", [], [("types.h", "int first;", "int start;")]),
    ("c-response", "header that a response file includes", [], [("forced.h", "LIMIT 4", "BOUND 4")]),
    ("c-other", "what clang alone refuses", [], [("a.c", "        n = 1;", "        int one = 1;\n        n = one;")]),
    ("cpp-other", "what gcc alone refuses", [], [("a.cc", "  Status Check() const;", "  Status Check() const;\n  Status Status() const;")]),
    ("cpp-other", "what clang alone refuses", [], [("b.cc", "    sum += value;", "    auto add = [&] { return value; };\n    sum += add();")]),
    ("cpp-constant", "operators of a constant", [], [("a.cc", "  r = n + 1;", "  r = n - 1;")]),
    ("cpp-between", "header between", [], [("core.h", "int width = 0;", "int breadth = 0;")]),
    ("cpp-central", "right, and many units depend on it", [], [("core.h", "int width = 0;", "long width = 0;")]),
    ("ts-globals", "global of a module", [], [("globals.ts", "appLevel: number", "appLevel: string")]),
    ("ts-globals", "global of a script", [], [("plain.ts", "side: number", "length: number")]),
    ("ts-globals", "what is added to another module", [], [("aug.ts", "extra: number", "extra: string")]),
    ("ts-hidden", "declarations for a script that is imported", [], [("x.d.ts", None, "export declare const three: number;\n")]),
    ("ts-hidden", "right declarations for it", [], [("x.d.ts", None, "export declare const one: number;\n")]),
    ("ts-hidden", "module that hides a folder's", [], [("m.ts", None, "export const three = 1;\n")]),
    ("ts-hidden", "module that nobody imports", [], [("n.ts", None, "export const three = 1;\n")]),
    # A right edit is not wrong because it changes its configuration, too.
    ("ts-with", "what another library has?", [], [("tsconfig.json", '["es5"]', '["es2020"]'), ("a.ts", "cfg.port;", "cfg.port + new Map().size;")]),
    ("ts-with", "what another library has not", [], [("tsconfig.json", '["es5"]', '["es2015"]'), ("a.ts", "cfg.port;", "cfg.port + [1].flat().length;")]),
    ("ts-with", "what is new in a module of JSON?", [], [("cfg.json", '"port"', '"host": "x", "port"'), ("a.ts", "cfg.port;", "cfg.port + cfg.host.length;")]),
    ("go-with", "what a newer Go has?", [], [("go.mod", "go 1.21", "go 1.22"), ("a.go", "{ return 1 }", "{\n\tn := 0\n\tfor i := range 3 {\n\t\tn += i\n\t}\n\treturn n\n}")]),
    ("go-with", "a file and what embeds it?", [], [("a.txt", None, "one\n"), ("a.go", "func F()", 'import _ "embed"\n\n//go:embed a.txt\nvar S string\n\nfunc F()')]),
    ("py-with", "a folder of modules?", [], [("pyrightconfig.json", "[]", '["lib"]'), ("a.py", "y: int = 1", "from m import X\n\ny: int = X")]),
    ("c-with", "a definition?", [], [("compile_flags.txt", "-Wall", "-Wall\n-DLIMIT=1"), ("a.c", "return k;", "return k + LIMIT;")]),
    ("ts-listed", "removed, and a project lists it?", [], [("a.ts", None, None)]),
    ("ts-excluded", "user that no project includes", [], [("src/a.ts", "a = 1", "a = '1'")]),
    ("py-excluded", "user that no project includes", [], [("src/app.py", "value: int = 1", 'value: str = "1"')]),
    ("sh-bash", "what the shell alone refuses", [], [("run.sh", "keep=1", "keep=1\nrm -f -- !(kept).tmp")]),
    ("sh-bash", "right", [], [("run.sh", "keep=1", "keep=2")]),
    ("sh-bash", "right, of another shell", [], [("dash.sh", "keep=1", "keep=2")]),
    ("go-tags", "constraint that takes a file away", [], [("help.go", "package x", "//go:build plan9\n\npackage x")]),
    ("go-tags", "right", [], [("help.go", "return 1", "return 2")]),
    ("go-vendor", "list of what is vendored?", [], [("vendor/modules.txt", "# example.org/dep v1.0.0", "# example.org/dep v1.0.1")]),
    ("go-embed", "second file of a pattern that takes one?", [], [("t/two.txt", None, "two\n")]),
    ("go-tags", "new package", [], [("n/n.go", None, 'package n\n\nvar X int = "a"\n')]),
    ("go-tags", "right new package", [], [("n/n.go", None, "package n\n\nvar X int = 1\n")]),
    ("go-nested", "user in another module", [], [("inner/g.go", "func G() int", "func H() int")]),
    ("go-nested", "right", [], [("inner/g.go", "return 1", "return 2")]),
]
