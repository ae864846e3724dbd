"""Edits for classes of faults: each project holds what a verdict must not overlook. A title with a "?" may also be
answered with not_checked."""

MANY = 101  # more users than are asked one by one

TS = ('{"compilerOptions": {"target": "es2020", "module": "esnext", "moduleResolution": "node", "types": [], "composite": true, '
      '"outDir": "out/%s", "lib": [%s]}, "include": ["shared"]}\n')

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
    },
    "cpp-plain": {
        "box.h": "#pragma once\ntemplate <class T> struct Box { T value; };\ntemplate <class T> int operator+(const Box<T>& b, int n) "
                 "{ return b.value.count() + n; }\n",
        "a.cc": '#include "box.h"\nstruct Num { int count() const { return 1; } };\nstruct Bare {};\nint plus(int n) {\n  Box<Num> good;\n'
                "  Box<Bare> bad;\n  int sum = 0;\n  sum = good + n;\n  sum = sum + 1;\n  return sum;\n}\n",
        "f.cc": "#include <functional>\n#include <memory>\nstruct F {\n  std::unique_ptr<int> p;\n  int operator()() const { return *p; }\n};\n"
                "struct G {\n  int operator()() const { return 1; }\n};\nstd::function<int()> make() {\n  F f;\n  G g;\n  return g;\n}\n",
    },
    "c-order": {
        "v.h": "static inline int vec_limit(void) { return INT_MAX; }\n",
        "a.c": '#include <limits.h>\n#include "v.h"\n\nint f(void) { return vec_limit(); }\n',
        "w.h": "static inline int cmp(int a, int b) { return CMP(a, b); }\n",
        "b.c": '#define CMP(a, b) ((a) - (b))\n#include "w.h"\n\nint g(void) { return cmp(1, 2); }\n',
    },
    "c-strict": {
        "a.c": "int f(int k) {\n    int n = 0;\n    switch (k) {\n        case 0:\n            n = 1;\n            break;\n        case 1:\n"
               "            n = 2;\n    }\n    return n;\n}\n",
    },
    "c-gcc": {"a.c": "int f(int k) {\n    return k;\n}\n"},
    "go-build": {
        "go.mod": "module example.org/x\n\ngo 1.20\n",
        "a.go": "package x\n\nvar X = 1\n\nfunc F() int { return 1 }\n\nfunc G(any interface{}) interface{} {\n\treturn any\n}\n",
        "cmd/a.go": "package main\n\nfunc main() {}\n\nfunc other() {}\n",
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

FLAGS = {"c-strict": "gcc -std=c11 -Wall -Wextra -Werror", "c-gcc": "gcc -std=c11 -fno-var-tracking-assignments"}

CASES = [
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
    ("c-gcc", "wrong, with an option of gcc alone", [], [("a.c", "return k;", "return j;")]),
    ("go-build", "function without a body", [], [("a.go", "func F() int { return 1 }", "func F() int")]),
    ("go-build", "directive in the wrong place", [], [("a.go", "var X = 1", "//go:noinline\nvar X = 1")]),
    ("go-build", "directive in its place", [], [("a.go", "func F() int {", "//go:noinline\nfunc F() int {")]),
    ("go-build", "program without main", [], [("cmd/a.go", "func main() {}", "func start() {}")]),
    ("go-build", "program with main", [], [("cmd/a.go", "func other() {}", "func another() {}")]),
    ("rs-data", "file that is compiled in?", [], [("src/magic.txt", "abcd", "abcdefg")]),
    ("rs-data", "flags of the build?", [], [(".cargo/config.toml", "rustflags = []", 'rustflags = ["-D", "missing_docs"]')]),
    ("rs-data", "file that nothing reads", [], [("notes.txt", "abcd", "abcdefg")]),
]
