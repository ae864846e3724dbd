"""What a server must not see, and what it may and must find: secrets, builds elsewhere, tools; for tests/verify_cli/run.py."""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


from support import HERE, Verifier, digest, each, write

SECRET = "hunter2pw"
HIDDEN = [
    ("clangd", "a private file is included", {".env": SECRET, "a.c": "int a;\n"}, "a.c", "int a;", 'int a =\n#include ".env"\n;'),
    ("clangd", "a private text is asserted", {"id_rsa": f'"{SECRET}"', "a.c": "int a;\n"}, "a.c", "int a;",
     'int a;\n_Static_assert(0,\n#include "id_rsa"\n);'),
    ("clangd", "a listed header", {".bodkinignore": "priv/\n", "priv/k.h": f"#define K {SECRET}\n", "a.c": '#include "priv/k.h"\nint a;\n'},
     "a.c", "int a;", "int a = K;"),
    ("clangd", "a header behind another", {".bodkinignore": "k.h\n", "k.h": f"#define K {SECRET}\n", "b.h": '#include "k.h"\n',
                                           "a.c": '#include "b.h"\nint a;\n'}, "a.c", "int a;", "int a = K;"),
    ("clangd", "a file outside", {"a.c": "int a;\n"}, "a.c", "int a;", 'int a =\n#include "../out/secret.txt"\n;'),
    ("clangd", "an absolute path", {"a.c": "int a;\n"}, "a.c", "int a;", 'int a =\n#include "{out}/secret.txt"\n;'),
    ("clangd", "a macro names it", {".env": SECRET, "a.c": "int a;\n"}, "a.c", "int a;", '#define F ".env"\nint a =\n#include F\n;'),
    ("clangd", "git's own files", {".git/config": SECRET, "a.c": "int a;\n"}, "a.c", "int a;", 'int a =\n#include ".git/config"\n;'),
    ("clangd", "a folder of the command", {"compile_commands.json": [{"directory": ".", "file": "a.c", "command": "gcc -I../out -c a.c"}],
                                           "a.c": "int a;\n"}, "a.c", "int a;", "int a =\n#include <secret.txt>\n;"),
    ("clangd", "the compiler tells", {"compile_commands.json": [{"directory": ".", "file": "a.c", "command": "gcc -Werror -c a.c"}],
                                      ".env": SECRET, "a.c": "int a;\n"}, "a.c", "int a;", 'int a =\n#include ".env"\n;'),
    ("pyright-langserver", "a private module", {".bodkinignore": "conf.py\n", "conf.py": f"K = '{SECRET}'\n", "m.py": "x = 1\n"}, "m.py", "x = 1",
     "from typing import Literal\nfrom conf import K\nx: Literal[1] = K"),
    ("pyright-langserver", "a module that imports it", {".bodkinignore": "conf.py\n", "conf.py": f"K = '{SECRET}'\n",
                                                        "n.py": "from conf import K\n", "m.py": "x = 1\n"}, "m.py", "x = 1",
     "from typing import Literal\nfrom n import K\nx: Literal[1] = K"),
    ("typescript-language-server", "a private script", {".bodkinignore": "cred.ts\n", "cred.ts": f"export const K = '{SECRET}' as const;\n",
                                                        "t.ts": "const x = 1;\n"}, "t.ts", "const x = 1;",
     "import { K } from './cred';\nconst x: 1 = K;"),
    ("typescript-language-server", "a script outside", {"t.ts": "const x = 1;\n"}, "t.ts", "const x = 1;",
     "import { K } from '../out/cred';\nconst x: 1 = K;"),
]


def run_hidden(program, counts):
    """A server is a reader, too: what is private or outside of the folder is in no message, and never makes a verdict."""
    def run(item):
        server, title, files, path, old, new = item
        if not shutil.which(server):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            folder, out = Path(name).resolve() / "project", Path(name).resolve() / "out"
            write(folder, {file: text if isinstance(text, str) else json.dumps(text) for file, text in files.items()})
            write(out, {"secret.txt": SECRET, "cred.ts": f"export const K = '{SECRET}' as const;\n"})
            before = digest(folder)
            verifier = Verifier(program)
            got = verifier.ask(folder, f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new.replace('{out}', str(out))}\n>>>>>>> REPLACE\n")
            verifier.close()
            right = SECRET not in json.dumps(got) and got["state"] == "not_checked" and digest(folder) == before
            counts.add(right)
            if not right or "-v" in sys.argv:
                print(f"hidden: {server}: {title}: got {json.dumps(got)}")

    each(HIDDEN, run)


def run_late_secrets(program, counts):
    """A file that becomes private while the servers are warm is as hidden as the others."""
    if not shutil.which("clangd"):
        counts.skip()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "project"
        write(folder, {"a.c": "int a;\n"})
        verifier = Verifier(program)
        reply = 'a.c\n<<<<<<< SEARCH\nint a;\n=======\nint a =\n#include "k.inc"\n;\n>>>>>>> REPLACE\n'
        states = []
        for text, ignored in ((None, ""), ("1", ""), ("1", "k.inc\n"), (SECRET, "k.inc\n")):
            write(folder, {".bodkinignore": ignored})
            if text:
                write(folder, {"new": text})
                (folder / "new").replace(folder / "k.inc")
            states.append(verifier.ask(folder, reply))
        for path, ignored in (("project/.bodkinignore", ""), (".bodkinignore", "k.inc\n"), (".bodkinignore", ""),
                              ("project/sub/.bodkinignore", "k.inc\n")):  # above it, and in a folder
            write(Path(name).resolve(), {path: ignored})
            if "sub" in path:
                write(folder, {"sub/k.inc": "1"})
                reply = reply.replace("k.inc", "sub/k.inc")
            else:
                write(folder, {"k.inc": "1"})
            states.append(verifier.ask(folder, reply))
        verifier.close()
        right = [got["state"] for got in states] == ["problems", "clean", "not_checked", "not_checked",
                                                     "clean", "not_checked", "clean", "not_checked"]
        right = right and SECRET not in json.dumps(states)
        counts.add(right)
        if not right or "-v" in sys.argv:
            print("late secrets:", json.dumps(states))


def run_linked_build(program, counts):
    """A compilation database that is linked from a build outside of the folder counts."""
    if not shutil.which("clangd"):
        counts.skip()
        return
    with tempfile.TemporaryDirectory() as name:
        folder, build = Path(name).resolve() / "project", Path(name).resolve() / "build"
        write(folder, {"a.c": "int a = LIMIT;\n"})
        write(build, {"compile_commands.json": json.dumps([{"directory": str(folder), "file": "a.c", "command": "cc1 -DLIMIT=1 -c a.c"}])})
        (folder / "compile_commands.json").symlink_to(build / "compile_commands.json")
        verifier = Verifier(program)
        got = verifier.ask(folder, "a.c\n<<<<<<< SEARCH\nint a = LIMIT;\n=======\nint a = LIMIT + 1;\n>>>>>>> REPLACE\n")
        verifier.close()
        right = got["state"] == "clean" and got["remaining"] == 0
        counts.add(right)
        if not right:
            print("linked build:", json.dumps(got))


def run_writer(program, counts):
    """Nothing that a server writes into the folder stays, whoever it is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "project"
        write(folder, {"a.sh": "echo one\n"})
        script = Path(name).resolve() / "hostile_server.py"
        script.write_text(f"import os\ntry:\n    open({str(folder / 'index.db')!r}, 'w').write('x')\nexcept OSError:\n    pass\n" +
                          (HERE / "hostile_server.py").read_text())
        before = digest(folder)
        verifier = Verifier(program, settings={"bodkin.verify.servers": {"shellscript": {
            "command": [sys.executable, str(script), "honest"], "complete": True}}})
        got = verifier.ask(folder, "a.sh\n<<<<<<< SEARCH\necho one\n=======\necho two\n>>>>>>> REPLACE\n")
        verifier.close()
        right = got["state"] == "clean" and digest(folder) == before
        counts.add(right)
        if not right:
            print("writer:", json.dumps(got))


def run_tools(program, counts):
    """Where PATH leads into an untrusted folder, as that of `npm run` does, a server still gets no tool from there; and
    to build Go, nothing runs that the folder's git is told to."""
    tools = ("node", "shellcheck", "go", "git", "bash", "python", "python3")
    for server, path, old, new in (("bash-language-server", "a.sh", "echo one", "echo two"), ("gopls", "main.go", "println(1)", "println(2)"),
                                   ("pyright-langserver", "a.py", "x: int = 1", "x: int = 2")):
        if not shutil.which(server):
            counts.skip()
            continue
        with tempfile.TemporaryDirectory() as name:
            folder, marker = Path(name).resolve() / "project", Path(name).resolve() / "marker"
            write(folder, {"a.sh": "echo one\n", "a.py": "x: int = 1\n", "go.mod": "module example.org/x\n\ngo 1.20\n",
                           "main.go": "package main\n\nfunc main() {\n\tprintln(1)\n}\n", "evil.sh": f"#!/bin/sh\ntouch {marker}\n",
                           **{f"bin/{tool}": f"#!/bin/sh\ntouch {marker}\n" for tool in tools}})
            for script in (folder / "evil.sh", *(folder / "bin").iterdir()):
                script.chmod(0o755)
            subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
            subprocess.run(["git", "config", "core.fsmonitor", str(folder / "evil.sh")], cwd=folder, check=True)
            before = digest(folder)
            line = next(line for line in (folder / path).read_text().splitlines() if old in line)
            reply = f"{path}\n<<<<<<< SEARCH\n{line}\n=======\n{line.replace(old, new)}\n>>>>>>> REPLACE\n"
            for options, folders in ((["--untrusted"], f"{folder}/bin:bin:"), ([], "bin::")):
                verifier = Verifier(program, *options, path=folders)
                got = verifier.ask(folder, reply)
                verifier.close()
                state = "not_checked" if options and server == "gopls" else "clean"
                right = got["state"] == state and not marker.exists() and digest(folder) == before
                counts.add(right)
                if not right or "-v" in sys.argv:
                    print(f"tools: {server} {options}: ran {marker.exists()}, got {json.dumps(got)}")
