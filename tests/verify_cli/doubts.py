"""For each doubt that the other sets do not meet, a wrong edit that would be called clean without it, for
tests/verify_cli/run.py. (The last one would be called wrong, and is right.)"""
import json

RUST = '[package]\nname = "d"\nversion = "0.1.0"\nedition = "2021"\n%s'
USER = '#include "h.h"\nint user(void) { return one(%s); }\n'
ONE = {"h.h": "int one(int n);\n", "a.c": '#include "h.h"\nint one(int n) { return n; }\n'}
SWITCH = "int f(int k) {\n  int n = 0;\n  switch (k) {\n    case 0:\n      n = 1;\n      break;\n    case 1:\n      n = 2;\n  }\n  return n;\n}\n"
PYTHON = "def f() -> int:\n    return 1\n"
PLATFORM = "int f(int n) {\n#ifdef _WIN32\n  return n;\n#else\n  return n + 1;\n#endif\n}\n"
GUARDED = "#ifndef H_H\n#define H_H\n#ifdef EXTRA\nint one(int n);\n#endif\nint two(int n);\n#endif\n"
REACHED = "import sys\n\n\ndef f() -> int:\n    if sys.platform == \"win32\":\n        return 1\n    return 2\n"
SCRIPT = "export function f(): number {\n  return 1;\n}\n"


def database(*commands):
    """Each: the compiler with its options, and the file."""
    return {"compile_commands.json": json.dumps([{"directory": "{root}", "file": unit, "command": f"{compiler} -c {unit}"}
                                                 for compiler, unit in commands])}


# The doubt, the server, files ("../out": beside the folder; "-> ": a link; "{root}": the folder), the file, old, new,
# options and verify.servers
DOUBTS = [
    ("cargo_untrusted", "cargo", {"Cargo.toml": RUST % "", "src/lib.rs": "pub fn f() -> u8 { 1 }\n"}, "src/lib.rs", "{ 1 }", '{ "1" }', ["--untrusted"]),
    ("cargo_leaves_out", "cargo", {"Cargo.toml": RUST % "\n[features]\nextra = []\n", "src/extra.rs": "pub fn g() -> u8 { 1 }\n",
                                   "src/lib.rs": '#[cfg(feature = "extra")]\npub mod extra;\n'}, "src/extra.rs", "{ 1 }", '{ "1" }', []),
    ("cargo_leaves_out_user", "cargo", {"Cargo.toml": RUST % "\n[workspace]\nexclude = [\"tools\"]\n", "src/lib.rs": "pub fn f() -> u8 { 1 }\n",
                                        "tools/Cargo.toml": RUST.replace('"d"', '"t"') % '\n[dependencies]\nd = { path = ".." }\n',
                                        "tools/src/main.rs": 'fn main() {\n    println!("{}", d::f());\n}\n'}, "src/lib.rs", "f() -> u8", "f(n: u8) -> u8", []),
    ("link", "clangd", {"real/h.h": "int one(int n);\n", "h.h": "-> real/h.h", "real/a.c": '#include "h.h"\nint a(void) { return one(1); }\n',
                        **database(("clang", "real/a.c"))}, "h.h", "one(int n)", "one(int n, int m)", []),
    ("unread_users", "pyright-langserver", {"core.py": "x: int = 1\n", "big.py": "from core import x\n\ny: int = x\n" + "#" * (4 << 20)},
     "core.py", "x: int = 1", 'x: str = "1"', []),
    ("part_of_unit", "clangd", {**ONE, "a.c": '#include "h.h"\nint a;\n', "b.part": USER % 1, **database(("gcc", "a.c"), ("gcc -x c", "b.part"))},
     "h.h", "one(int n)", "one(int n, int m)", []),
    ("several_ways", "clangd", {"a.c": "#ifdef WIDE\nint w(int n) { return n; }\n#endif\nint a;\n", **database(("clang", "a.c"), ("clang -DWIDE", "a.c"))},
     "a.c", "return n;", "return m;", []),
    ("no_unit", "clangd", {"a.c": "int a;\n", "alone.h": "int one(int n);\n", **database(("clang", "a.c"))}, "alone.h", "int one", "imt one", []),
    ("strict_gcc", "clangd", {"a.c": SWITCH, **database(("gcc -Wextra -Werror", "a.c"))}, "a.c", "      n = 1;\n      break;\n", "      n = 1;\n", ["--untrusted"]),
    ("strict_gcc", "clangd", {"a.c": SWITCH, **database(("./gcc -Wextra -Werror", "a.c"))}, "a.c", "      n = 1;\n      break;\n", "      n = 1;\n", []),
    ("unproven_gcc", "clangd", {"a.c": SWITCH, **database(("gcc -E -Wextra -Werror", "a.c"))}, "a.c", "      n = 1;\n      break;\n", "      n = 1;\n", []),
    ("silenced", "clangd", {"a.c": "int f(int n) {\n  return n;\n}\n", **database(("clang -std=gnu11", "a.c"))}, "a.c", "  return n;",
     '#pragma GCC diagnostic ignored "-Wimplicit-function-declaration"\n  return missing(n);', []),
    ("silenced", "pyright-langserver", {"a.py": PYTHON}, "a.py", "return 1", "return missing(1)  # type: ignore", []),
    ("silenced", "pyright-langserver", {"a.py": PYTHON}, "a.py", "return 1", "return missing(1)  #pyright:ignore[reportUndefinedVariable]", []),
    ("silenced", "pyright-langserver", {"a.py": PYTHON}, "a.py", PYTHON, "# type: ignore\n" + PYTHON.replace("1", "missing(1)"), []),
    ("silenced", "typescript-language-server", {"a.ts": SCRIPT}, "a.ts", "  return 1;", "  // @ts-ignore\n  return missing(1);", []),
    ("silenced", "typescript-language-server", {"a.ts": SCRIPT}, "a.ts", "  return 1;", "  // @ts-expect-error\n\n  return missing(1);", []),
    ("silenced", "typescript-language-server", {"a.ts": SCRIPT.replace("  return", "  // @ts-ignore\n  return")}, "a.ts", "return 1", "return missing(1)", []),
    ("silenced", "typescript-language-server", {"a.ts": SCRIPT}, "a.ts", SCRIPT, "// @ts-nocheck\n" + SCRIPT.replace("1", "missing(1)"), []),
    ("silenced", "bash-language-server", {"a.sh": "#!/bin/bash\necho 1\n"}, "a.sh", "echo 1", '# shellcheck disable=all\n[ "$1" = 1 && echo 1', []),
    ("conditional", "clangd", {"a.c": PLATFORM}, "a.c", "return n;", "return missing(n);", ["--untrusted"]),
    ("conditional", "clangd", {"a.c": PLATFORM, **database(("gcc", "a.c"))}, "a.c", "return n;", "return missing(n);", []),
    ("conditional", "clangd", {"h.h": GUARDED, "a.c": '#include "h.h"\nint a;\n', **database(("clang", "a.c"))}, "h.h", "int one(int n)", "missing one(int n)", []),
    ("conditional", "cargo", {"Cargo.toml": RUST % "\n[features]\nextra = []\n", "src/lib.rs": '#[cfg(feature = "extra")]\npub fn f() -> u8 { 1 }\n'},
     "src/lib.rs", "{ 1 }", '{ "1" }', []),
    ("conditional", "cargo", {"Cargo.toml": RUST % "", "src/lib.rs": "pub fn f() -> u8 {\n    #[cfg(all(windows, test))]\n    return 2;\n    #[cfg(not(windows))]\n    1\n}\n"},
     "src/lib.rs", "return 2", "return missing", []),
    ("unreached", "pyright-langserver", {"a.py": REACHED}, "a.py", "return 1", "return missing(1)", []),
    ("silenced", "cargo", {"Cargo.toml": RUST % "", "src/lib.rs": "pub fn f() -> u8 { 1 }\n"}, "src/lib.rs", "pub fn f() -> u8 { 1 }", "#[allow(arithmetic_overflow)]\npub fn f() -> u8 { 255 + 1 }", []),
    ("silent", "clangd", {"a.c": "int f(int n) {\n  return n;\n}\n", **database(("clang --version", "a.c"))}, "a.c", "return n", "return m", []),
    ("silent", "clangd", {"a.c": "int f(int n) {\n  return n;\n}\n", ".clangd": "If:\n  PathMatch: a\\.c\nCompileFlags:\n  Add: [-xassembler]\n"},
     "a.c", "return n", "return m", ["--untrusted"]),
    ("silent", "pyright-langserver", {"a.py": PYTHON, "pyrightconfig.json": '{"reportUndefinedVariable": false}'}, "a.py", "return 1", "return missing(1)", []),
    ("silent", "pyright-langserver", {"a.py": "# Ours.\n# pyright: basic, reportUndefinedVariable=false\n" + PYTHON}, "a.py", "return 1", "return missing(1)", []),
    ("silent", "typescript-language-server", {"a.ts": SCRIPT, "tsconfig.json": '{"compilerOptions": {"noCheck": true}}'}, "a.ts", "return 1", "return missing(1)", []),
    ("silent", "typescript-language-server", {"a.ts": "/* Ours. */\n// @ts-nocheck\n" + SCRIPT}, "a.ts", "return 1", "return missing(1)", []),
    ("needs_code", "clangd", {"a.c": 'int f(int n) {\n  __asm__("nop");\n  return n;\n}\n', **database(("gcc", "a.c"))}, "a.c", '"nop"', '"noppp"', ["--untrusted"]),
    ("gcc_rejects_more", "clangd", {"a.cc": "struct P {\n  int a;\n  int b;\n};\nP p = {.a = 1, .b = 2};\n", **database(("g++ -std=c++20", "a.cc"))},
     "a.cc", "{.a = 1, .b = 2}", "{.b = 2, .a = 1}", ["--untrusted"]),
    ("unnamed_unit", "clangd", {**ONE, "a.c": '#include "h.h"\nint a;\n', "b.c": USER % "1) + (DEPTH", **database(("clang", "a.c"))},
     "h.h", "one(int n)", "one(int n, int m)", []),
    ("unnamed_unit", "clangd", {**ONE, "a.c": '#include "h.h"\nint a;\n', "b.cc": '#include <missing/try.h>\n#include "h.h"\nTRY("one", "fast") {\n  EXPECT(one(1));\n}\n',
                                **database(("clang", "a.c"))}, "h.h", "one(int n)", "one(int n, int m)", []),
    ("undefined", "clangd", {**ONE, **database(("clang", "a.c"))}, "h.h", "int one(int n);", "int one(int n);\nint two(int n);\nstatic inline int both(int n) { return two(n); }", []),
    ("not_for_node", "typescript-language-server", {"package.json": '{"type": "module"}\n', "a.js": 'import { b } from "./b.js";\n\nexport const a = b;\n',
                                                    "b.js": "export const b = 1;\nexport const c = 2;\n"},
     "a.js", "export", 'import { c } from "./b";\n\nexport', []),
    ("warning_of_header", "clangd", {"h.h": "static inline int one(int n) {\n  return n;\n}\n", "a.c": '#include "h.h"\nint a(void) { return one(1); }\n',
                                     **database(("clang -Wall -Werror", "a.c"))}, "h.h", "  return n;", "  int m;\n  return n;", []),
    ("user_outside", "clangd", {**ONE, "../out/b.c": '#include "../project/h.h"\nint b(void) { return one(1); }\n',
                                "a.c": '#include "h.h"\nint a;\n', **database(("clang", "a.c"), ("clang", "../out/b.c"))},
     "h.h", "one(int n)", "one(int n, int m)", []),
    ("unknown_users", "bash-language-server", {"a.tmpl": "#!/bin/sh\nname=one\n", "b.sh": '#!/bin/sh\n. ./a.tmpl\necho "$name"\n'}, "a.tmpl", "name=", "title=",
     [{"template": {"command": ["bash-language-server", "start"], "files": [".tmpl"]}}]),
    ("newer_standard", "clangd", {"a.cc": "int add(int n) { return n; }\n"}, "a.cc", "int add(int n)", "auto add(auto n) requires true", []),
]
