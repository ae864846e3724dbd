"""bodkin verify: its contract, hostile language servers, and real ones on right and wrong edits.

  python3 tests/verify_cli/run.py [--judge | --speed] [BODKIN] [PROJECT…]

Prints the figures of the real servers that are installed (the others are skipped), and ends with
"N passed, N failed, N skipped". --judge lets the compilers say what is right, instead of expected.json, and writes that.
--speed only measures a verdict on a warm C++ file of 1,000 lines.
"""
import collections
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import classes
import doubts
import environments
import new_syntax
import ordinary
import ordinary_projects
import staged

HERE = Path(__file__).parent
CASES = cases.CASES + classes.CASES
PROJECTS = cases.PROJECTS | classes.PROJECTS
SERVERS = {"c": "clangd", "cpp": "clangd", "ts": "typescript-language-server", "py": "pyright-langserver",
           "go": "gopls", "rs": "cargo", "sh": "bash-language-server"}
EXPECTED = HERE / "expected.json"


class Counts:
    """What passed, failed and was skipped, of all threads."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self._lock = threading.Lock()

    def add(self, right):
        with self._lock:
            self.passed += bool(right)
            self.failed += not right

    def skip(self):
        with self._lock:
            self.skipped += 1


def each(items, function, at_once=2):
    """Calls function(item) for all; most of them wait for a server."""
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(function, items))


def language(project):
    return project.split("-")[0]  # "c-strict": C


def compiler_of(project):
    return classes.FLAGS.get(project) or ("gcc -std=c11 -Wall" if language(project) == "c" else "g++ -std=c++17 -Wall")


def command_of(project, unit, kinds=("flags",)):
    database = classes.DATABASES.get(project, {})
    return " ".join(filter(None, [compiler_of(project), *(database.get(kind, {}).get(unit) for kind in kinds)]))


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def make_project(name, folder):
    files = dict(PROJECTS[name])
    write(folder, files)
    if language(name) in ("c", "cpp"):
        database = classes.DATABASES.get(name, {})
        if database.get("units") == []:  # it has other files that tell
            return
        units = database.get("units") or [path for path in files if path.endswith((".c", ".cc"))]
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": database.get("directory", str(folder)), "file": unit,
              "command": f"{command_of(name, unit)} -c {unit}"} for unit in units]))


def block_of(path, text, old, new):
    """An edit block of the lines around `old`."""
    assert text.count(old) == 1, (path, old)
    begin = text.index(old)
    first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", begin + len(old) - old.endswith("\n"))
    lines = text[first:last + 1]
    return f"{path}\n<<<<<<< SEARCH\n{lines}=======\n{lines.replace(old, new)}>>>>>>> REPLACE\n\n"


def reply_of(project, edits):
    patch = []
    for path, old, new in edits:
        if old is None and new is None:
            patch.append(f"*** Delete File: {path}\n")
        elif old is None:
            patch.append(f"*** Add File: {path}\n" + "".join(f"+{line}\n" for line in new.splitlines()))
    words = "Here it is:\n\n"
    for path, old, new in edits:
        if old is None:
            continue
        words += block_of(path, PROJECTS[project][path], old, new)
    if patch:
        words += "*** Begin Patch\n" + "".join(patch) + "*** End Patch\n"
    return words


def apply_edits(folder, edits):
    for path, old, new in edits:
        if new is None:
            (folder / path).unlink()
        elif old is None:
            write(folder, {path: new})
        else:
            (folder / path).write_text((folder / path).read_text().replace(old, new))


def compiler_errors(project, folder):
    """What the language's own compiler says: a multiset of (file, message)."""
    def run(*command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = []
    kind = language(project)
    if kind in ("c", "cpp"):
        for unit in sorted(folder.glob("*.c*")):
            if unit.suffix in (".c", ".cc"):
                done = run(*command_of(project, unit.name, ("flags", "later")).split(), "-c", "-o", "/dev/null", "-fmax-errors=0", unit.name)
                found += [(unit.name, line.split("rror: ")[1]) for line in done.stderr.splitlines() if "rror: " in line]  # the assembler's: "Error:"
        if project.endswith("-link") and not found:
            objects = [f"{unit}.o" for unit in folder.glob("*.c*") if unit.suffix != ".o"]
            for item in objects:
                run(*command_of(project, item[:-2]).split(), "-fPIC", "-c", "-o", item, item[:-2])
            done = run("g++", "-shared", "-Wl,--no-undefined", "-o", "/dev/null", *objects)
            found += [("", line.split(": ")[-1]) for line in done.stderr.splitlines() if "undefined reference" in line]
    elif kind == "ts" and not (folder / "tsconfig.json").exists():
        for script in sorted([*folder.rglob("*.js"), *folder.rglob("*.cjs")]):
            done = run("node", str(script)) if project == "ts-node" else run("node", "--check", str(script))
            found += [(script.name, line) for line in done.stderr.splitlines() if re.match(r"\w*Error", line)]
    elif kind == "ts":
        done = run("tsc", "-b") if '"references"' in (folder / "tsconfig.json").read_text() else run("tsc", "--noEmit", "-p", ".")
        outputs = [done.stdout, *(run("tsc", "-p", path).stdout for path in folder.glob("configs/*.json"))]
        found += [(line.split("(")[0], line.split("error ")[1]) for line in "".join(outputs).splitlines() if "error " in line]
    elif kind == "py":
        done = run("pyright", "--outputjson")
        found += [(item["file"], item["message"]) for item in json.loads(done.stdout)["generalDiagnostics"]
                  if item["severity"] == "error"]
    elif kind == "go":
        done = run("go", "build", "-o", "/dev/null", "./...")
        found += [("", line) for line in done.stderr.splitlines() if not line.startswith("#")]
        done = run("go", "vet", "./...")
        found += [(line.split(":")[0], line.split(": ", 1)[-1]) for line in done.stderr.splitlines() if ".go:" in line]
    elif kind == "rs":
        done = run("cargo", "build", "--quiet", "--offline", "--message-format", "short")
        found += [(line.split(":")[0], line.split("error")[1]) for line in done.stderr.splitlines() if ": error" in line]
        found += [("build.rs", line) for line in done.stderr.splitlines() if "custom build command" in line]
    elif kind == "sh":
        for script in sorted(folder.glob("*.sh")):
            done = run("shellcheck", "-S", "error", "-f", "gcc", script.name)
            found += [(script.name, line.split("error: ")[1]) for line in done.stdout.splitlines() if "error: " in line]
            done = run(*script.read_text().split("\n")[0].removeprefix("#!").split(), "-n", script.name)
            found += [(script.name, line) for line in done.stderr.splitlines()]
    return found


def judge(project, edits):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_project(project, folder)
        before = compiler_errors(project, folder)
        apply_edits(folder, edits)
        after = compiler_errors(project, folder)
        for error in before:
            if error in after:
                after.remove(error)
        return "problems" if after else "clean"


def digest(folder):
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        state.update(str(path.relative_to(folder)).encode())
        if path.is_file():
            state.update(path.read_bytes())
    return state.hexdigest()


GIVEN = collections.defaultdict(set)  # the doubts of all results: where


class Verifier:
    """bodkin verify --jsonl, with its servers warm."""

    def __init__(self, program, *options, settings=None, path=""):
        self.home = tempfile.TemporaryDirectory()
        config = Path(self.home.name) / "bodkin"
        config.mkdir()
        (config / "settings.json").write_text(json.dumps(settings or {}))
        self.process = subprocess.Popen([program, "verify", "--jsonl", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "XDG_CONFIG_HOME": self.home.name, "PATH": path + os.environ["PATH"]})

    def ask(self, root, reply, opened=()):
        self.process.stdin.write(json.dumps({"id": "x", "root": str(root), "reply": reply, "open": list(opened)}) + "\n")
        self.process.stdin.flush()
        result = json.loads(self.process.stdout.readline())
        GIVEN[result.get("doubt", "")].add(str(root))
        return result

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.home.cleanup()


def run_project(program, project, expected, counts, figures):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_project(project, folder)
        before = digest(folder)
        # What runs a folder's code checks trusted ones only.
        verifier = Verifier(program, settings={"bodkin.workspace.trusted": [str(folder)]})
        for case_project, title, opened, edits in CASES:
            if case_project != project:
                continue
            want = expected[f"{project}: {title}"]
            began = time.monotonic()
            got = verifier.ask(folder, reply_of(project, edits), opened)
            took = time.monotonic() - began
            right = got["state"] == want or (title.endswith("?") and got["state"] == "not_checked")
            figures.append((project, title, want, got["state"], took))
            counts.add(right)
            if not right or "-v" in sys.argv:
                kind = "FALSE CLEAN" if got["state"] == "clean" and not right else "ok" if right else "wrong"
                print(f"{kind}: {project}: {title}: wants {want}, got {json.dumps(got)}")
        verifier.close()
        unchanged = digest(folder) == before
        counts.add(unchanged)
        if not unchanged:
            print(f"{project}: the project's files have changed")


# What each hostile server makes of a right and of a wrong edit: whatever happens, never a false "clean".
HOSTILE = {"honest": "clean", "dies": "not_checked", "dies_later": "not_checked", "hangs": "not_checked",
           "mute": "not_checked", "floods": "clean", "lies": "not_checked", "old_version": "not_checked",
           "unversioned": "not_checked", "asks": "clean", "dialog": "clean", "late": "clean", "garbage": "not_checked",
           "two_phases": "not_checked"}


def processes_of(script):
    """The command lines of all processes that run this script."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(script).encode() in words:
            found.append(words)
    return found


def run_hostile(program, counts):
    def run(item):
        mode, wrong = item
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve() / "project"
            write(folder, {"a.sh": "echo one\n", "b.sh": "echo BAD\necho two\n"})
            script = Path(name).resolve() / "hostile_server.py"  # its own path, to find its processes
            shutil.copy(HERE / "hostile_server.py", script)
            # Of a server that nobody knows, silence is no proof, unless the user says so.
            command = {"command": [sys.executable, str(script), mode], "complete": mode != "two_phases"}
            verifier = Verifier(program, settings={"bodkin.verify.servers": {"shellscript": command},
                                                   "bodkin.verify.serverTimeoutMs": 5000})
            began = time.monotonic()
            reply = f"a.sh\n<<<<<<< SEARCH\necho one\n=======\necho {'BAD' if wrong else 'two'}\n>>>>>>> REPLACE\n"
            got = verifier.ask(folder, reply)
            took = time.monotonic() - began
            verifier.close()
            expected = "problems" if wrong and HOSTILE[mode] == "clean" else HOSTILE[mode]
            left = processes_of(script)
            # An error that is there is never wrongly reported, however early.
            right = got["state"] in ([expected, "problems"] if wrong else [expected]) and took < 60 and not left
            counts.add(right)
            if not right or "-v" in sys.argv:
                print(f"{mode}, {'wrong' if wrong else 'right'} edit: wants {expected}, got {json.dumps(got)} after "
                      f"{took:.1f} s, processes left: {left}")

    each([(mode, wrong) for mode in HOSTILE for wrong in (False, True)], run, at_once=4)


def run_views(program, counts):
    """gopls publishes for one view of several modules after the other: an empty set for a wrong text is no proof."""
    if not shutil.which("go"):
        counts.skip()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "project"
        write(folder, PROJECTS["go-nested"])
        server = Path(name).resolve() / "gopls"  # a server is known by its name
        server.write_text(f"#!{sys.executable}\n" + (HERE / "hostile_server.py").read_text())
        server.chmod(0o755)
        # A warning of the server does not hide an error of the compiler at its line.
        for trusted, new, want, mode in ((True, "BAD", "problems", "views"), (True, "2", "clean", "views"), (False, "BAD", "not_checked", "views"),
                                         (True, "missing /* WARN */", "problems", "honest")):
            verifier = Verifier(program, *([] if trusted else ["--untrusted"]),
                                settings={"bodkin.verify.servers": {"go": {"command": [str(server), mode]}}})
            got = verifier.ask(folder, reply_of("go-nested", [("inner/g.go", "return 1", f"return {new}")]))
            verifier.close()
            counts.add(got["state"] == want)
            if got["state"] != want or "-v" in sys.argv:
                print(f"views, trusted {trusted}, {new}: wants {want}, got {json.dumps(got)}")


# What no model may see, by the ways in which a draft can reach it: (server, title, files, file, old, new, want). "{out}" is
# a folder beside the project.
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


def run_environments(program, counts):
    """Without what the build needs, that a server finds no error proves nothing; trusted and not."""
    def run(item):
        server, title, files, path, reason = item
        if not shutil.which(server):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            write(folder, files)
            before = digest(folder)
            line = next(line for line in files[path].splitlines() if "n * 2" in line)
            reply = f"{path}\n<<<<<<< SEARCH\n{line}\n=======\n{line.replace('n * 2', 'n + n')}\n>>>>>>> REPLACE\n"
            for options in ([], ["--untrusted"]):
                verifier = Verifier(program, *options)
                got = verifier.ask(folder, reply)
                verifier.close()
                # Where go build may not run, Go is not checked.
                state = "clean" if reason is None and not (options and server == "gopls") else "not_checked"
                right = got["state"] == state and (reason or "") in (got["reason"] or "") and digest(folder) == before
                counts.add(right)
                if not right or "-v" in sys.argv:
                    print(f"environment: {server}: {title} {options}: got {json.dumps(got)}")

    each(environments.ENVIRONMENTS, run)


def run_doubts(program, counts):
    """Each doubt says of an edit that it is not checked, and no other does."""
    def run(item):
        doubt, server, files, path, old, new, options = item
        if not shutil.which(server):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve() / "project"
            write(folder, {file: text.replace("{root}", str(folder)) for file, text in files.items() if not text.startswith("-> ")})
            for file, text in files.items():
                if text.startswith("-> "):
                    (folder / file).symlink_to(text[3:])
            before = digest(folder)
            servers = {"bodkin.verify.servers": {word: setting for one in options if isinstance(one, dict) for word, setting in one.items()}}
            verifier = Verifier(program, *(one for one in options if isinstance(one, str)), settings=servers)
            got = verifier.ask(folder, block_of(path, (folder / path).read_text(), old, new))
            verifier.close()
            right = (got["state"], got["doubt"]) == ("not_checked", doubt) and digest(folder) == before
            counts.add(right)
            if not right or "-v" in sys.argv:
                print(f"doubts: {doubt}: got {json.dumps(got)}")

    each(doubts.DOUBTS, run)


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
        verifier.close()
        right = [got["state"] for got in states] == ["problems", "clean", "not_checked", "not_checked"]
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


def run_contract(program, counts):
    """Exit codes, the forms of the output, and what needs no server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, {"a.md": "one\n", "a.json": '{"a": 1}\n', "b.json": '{"b": 1\n', "a.zig": "const a = 1;\n", "a.py": "x = 1\n", "Makefile": "all:\n",
                       "b.md": "# A title\n\nSome words of it.\nAnd more words here.\n"})

        def verify(reply, *options):
            return subprocess.run([program, "verify", "--root", name, *options], input=reply, capture_output=True, text=True,
                                  env={**os.environ, "XDG_CONFIG_HOME": name + "/none"})

        def edit(path, old, new):
            return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
        cases = [
            ("prose", edit("a.md", "one", "two"), 0, "clean", ["the syntax"]),
            ("data", edit("a.json", '{"a": 1}', '{"a": 2}'), 0, "clean", ["the syntax"]),
            ("mended data", edit("b.json", '{"b": 1', '{"b": 1}'), 0, "clean", ["the syntax"]),
            ("broken data", edit("a.json", '{"a": 1}', '{"a": 2'), 1, "problems", ["the syntax"]),
            ("no server", edit("a.zig", "const a = 1;", "const a = 2;"), 2, "not_checked", []),
            ("no server, but not the language", edit("a.zig", "const a = 1;", "const a = (1;"), 1, "problems", ["the syntax"]),
            ("problems before not checked", edit("a.zig", "const a = 1;", "const a = 2;") +
             edit("a.json", '{"a": 1}', '{"a": 2'), 1, "problems", ["the syntax"]),
            ("what configures the build", edit("Makefile", "all:", "none:"), 2, "not_checked", []),
            ("not placed", edit("a.md", "nowhere", "two"), 3, "not_checked", []),
            ("no edit", "Hello", 3, "not_checked", []),
        ]
        for title, reply, code, state, by in cases:
            done = verify(reply, "--json")
            got = json.loads(done.stdout or "{}")
            right = (done.returncode, got.get("state"), got.get("by")) == (code, state, by) and set(got) == {
                "state", "by", "reason", "doubt", "new", "fixed", "remaining", "ms"}
            counts.add(right)
            if title == "mended data":
                counts.add(got.get("fixed", [{}])[0].get("message") == "syntax error" and got.get("new") == [])
            if not right:
                print(f"contract, {title}: exit {done.returncode}, {done.stdout}{done.stderr}")
        for reply, advice in ((edit("a.md", "nowhere", "two"), "copied exactly"), (edit("a.md", "one", "two")[:-17], "again")):
            person, heading, model = verify(reply).stderr.partition("\nSend this back to the model:\n")
            right = person.startswith("bodkin verify: ") and heading and advice not in person and advice in model
            counts.add(right)
            if not right:
                print("contract, what to send to the model:", person, model)
        for option in (["--unknown"], ["--server", "nosuch"]):
            done = verify("", *option)
            counts.add(done.returncode == 2)
        write(folder, {"reply.md": edit("a.md", "one", "two")})
        # A repeatable option takes one value: the reply behind it is not another.
        for options, said in ((["--server", "nosuch"], (2, "bodkin verify: no language server is called nosuch.\n")),
                              (["--open", name + "/a.md"], (verify(edit("a.md", "one", "two")).returncode, ""))):
            done = verify("", *options, name + "/reply.md")
            counts.add((done.returncode, done.stderr) == said)
            if (done.returncode, done.stderr) != said:
                print("contract, the reply behind an option:", done)
        refused = subprocess.run([program, "verify", "--jsonl"], input="no JSON\n", capture_output=True, text=True,
                                 env={**os.environ, "XDG_CONFIG_HOME": name + "/none"})
        counts.add("ms" in json.loads(refused.stdout))
        there = verify("--- a/b.md\n+++ b/b.md\n@@ -1,3 +1,4 @@\n # A title\n \n-Few words.\n+Some words of it.\n+And more words here.\n")
        again = verify(edit("b.md", "Some words of it.", "Some words of it."))
        # What git says that there is, is checked as if it were to come; what a model repeats is not.
        (folder / "c.json").write_text('{"a": 2\n')
        (folder / "d.json").write_text('{"d": 1\n')
        broken = verify('diff --git a/c.json b/c.json\nindex 1..2 100644\n--- a/c.json\n+++ b/c.json\n@@ -1 +1 @@\n-{"a": 2}\n+{"a": 2\n'
                        'diff --git a/d.json b/d.json\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/d.json\n@@ -0,0 +1 @@\n+{"d": 1\n')
        right = (there.returncode, there.stdout) == (0, "✓ the syntax: no new errors (the changes are already in place)\n") and \
            (again.returncode, again.stdout) == (0, "✓ nothing to check: the changes are already in place\n") and \
            broken.returncode == 1 and "c.json:" in broken.stdout and "d.json:" in broken.stdout
        counts.add(right)
        if not right:
            print("contract, in place:", there, again, broken)
        empty, nothing = verify("\n"), verify("")
        counts.add((empty.returncode, empty.stderr) == (3, "bodkin verify: the reply is empty.\n"))
        counts.add(nothing.returncode == 3 and "bodkin verify --staged" in nothing.stderr)
        words = verify(edit("a.zig", "const a = 1;", "const a = 2;"))
        right = words.stdout == "? not checked: no checker is known for Zig; bodkin.verify.servers can name one\n"
        counts.add(right)
        if not right:
            print("contract, words:", words.stdout, words.stderr)
        # A diff whose changes are in the files, as git prints it: they are checked, exactly.
        def changed(old, new, path):
            return f"--- {old}\n+++ {new}\n@@ -1 +1 @@\n-{{\"a\": 1}}\n+{{\"a\": 2\n", {path: '{"a": 2\n'}
        new_file = 'diff --git a/n.json b/n.json\nnew file mode 100644\n--- /dev/null\n+++ b/n.json\n@@ -0,0 +1 @@\n+{"x": 7}\n'
        for title, (diff, files), code in (
                ("a diff in place", changed("a/a.json", "b/a.json", "a.json"), 1),
                ("without prefixes", changed("a.json", "a.json", "a.json"), 1),
                ("with mnemonic prefixes", changed("i/a.json", "w/a.json", "a.json"), 1),
                ("with a quoted name", changed('"a/\\303\\251.json"', '"b/\\303\\251.json"', "\u00e9.json"), 1),
                ("below words", ("commit 1\n\n    Words\n\n" + changed("a/a.json", "b/a.json", "a.json")[0], {"a.json": '{"a": 2\n'}), 1),
                ("a new file", (new_file, {"n.json": '{"x": 7}\n'}), 0),
                ("a new file with other blanks", (new_file, {"n.json": '  {"x":   7}\n'}), 3)):
            write(folder, files)
            done = verify(diff)
            counts.add(done.returncode == code)
            if done.returncode != code:
                print(f"contract, {title}: got {done.returncode}: {done.stdout}{done.stderr}")
        # A reply that bodkin apply has applied: one that it knows again by its lines, and one whose lines prove nothing.
        for before, after, code in (('{"a": 1}', '{"a": 2', 1), ('{"a": 2', '{"a": 3}', 0), ("[1]", "[1, 1]", 0)):
            write(folder, {"r.json": before + "\n"})
            reply = edit("r.json", before, after)
            subprocess.run([program, "apply", "--root", name], input=reply, check=True, capture_output=True, text=True)
            done, told = verify(reply), json.loads(verify(reply, "--json").stdout)
            right = done.returncode == code and "(the changes are already in place)" in done.stdout and \
                ("r.json:" in done.stdout) == bool(code) and told["reason"] == "the changes are already in place"
            counts.add(right)
            if not right:
                print("contract, an applied reply:", done, told)
        if shutil.which("clangd"):  # a new file that is there already: its errors are not older ones
            write(folder, {"n.c": "int f(void) { return zz; }\n"})
            there = verify("diff --git a/n.c b/n.c\nnew file mode 100644\n--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n"
                           "+int f(void) { return zz; }\n")
            counts.add(there.returncode in (1, 2))
            if there.returncode not in (1, 2):
                print("contract, a new file that is there:", there.stdout, there.stderr)
        else:
            counts.skip()
        bare = subprocess.run([program, "verify", "--root", name], input=edit("a.py", "x = 1", "x = 2"), capture_output=True,
                              text=True, env={**os.environ, "PATH": name + "/none", "XDG_CONFIG_HOME": name + "/none"})
        right = bare.returncode == 2 and bare.stdout.count("\n") == 1 and bare.stdout.startswith("? not checked: ") \
            and " install " in bare.stdout
        counts.add(right)
        if not right:
            print("contract, what to install:", bare.stdout, bare.stderr)
        # A server inside the folder runs only if the settings trust that.
        write(folder, {".venv/bin/pyright-langserver": "#!/bin/sh\nexit 7\n",
                       "trusting/bodkin/settings.json": json.dumps({"bodkin.workspace.trusted": [name]})})
        (folder / ".venv/bin/pyright-langserver").chmod(0o755)
        for config, runs in (("none", False), ("trusting", True)):
            done = subprocess.run([program, "verify", "--root", name], input=edit("a.py", "x = 1", "x = 2"), capture_output=True,
                                  text=True, env={**os.environ, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": f"{name}/{config}"})
            right = ("exit code 7" in done.stdout) == runs
            counts.add(right)
            if not right:
                print("contract, a server of the folder:", config, done.stdout, done.stderr)


def run_new_syntax(program, counts):
    """Where no server is asked, what a grammar or an interpreter is too old for is no error."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        verifier = Verifier(program, settings={"bodkin.verify.servers": {"*": []}})
        for path, before, after in new_syntax.NEW_SYNTAX:
            write(folder, {path: before})
            got = verifier.ask(folder, f"{path}\n<<<<<<< SEARCH\n{before}=======\n{after}>>>>>>> REPLACE\n")
            counts.add(got["state"] in ("clean", "not_checked"))
            if got["state"] == "problems" or "-v" in sys.argv:
                print(f"new syntax: {path}: got {json.dumps(got)}")
        verifier.close()


def run_ordinary(program, counts):
    """Where people work: no false clean, and right edits are answered. ordinary.py has the figures."""
    servers = dict(zip(ordinary_projects.NAMES, ("clangd", "clangd", "pyright-langserver", "typescript-language-server",
                                                 "typescript-language-server", "gopls", "cargo", "bash-language-server")))
    def run(project):
        if not shutil.which(servers[project]):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            ordinary_projects.make(project, Path(name).resolve())
            count, reasons, _ = ordinary.measure(program, str(Path(name).resolve()), most=1)
        is_plain = project == "tide"  # plain JavaScript is never clean
        right = (count["right"] == count["answered"] and not count["false clean"] and
                 count["errors found"] == count["planted errors"] and
                 count["right edits called clean"] >= (1 if is_plain else count["right edits"]))
        counts.add(right)
        if not right or "-v" in sys.argv:
            print(f"ordinary: {project}: {ordinary.told(count)}; {dict(reasons)}")

    each(ordinary_projects.NAMES, run)


def run_waiting(program, counts):
    """Waiting for its input it ends at once, and says nothing of the kind of "not checked"."""
    for option in ([], ["--json"], ["--jsonl"]):
        process = subprocess.Popen([program, "verify", *option], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.wait(10)  # for its input it would wait for ever
        said = process.communicate()[0]
        right = process.returncode == 130 and not said
        counts.add(right)
        if not right:
            print(f"waiting {option}: exit {process.returncode}, {said}")


def run_speed(program):
    """The time of a verdict on a warm C++ file of 1,000 lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        functions = [f"""static int work_{i}(const std::vector<std::string>& all, std::map<std::string, int>& counts) {{
  int sum = {i};
  for (const std::string& one : all) {{
    counts[one] += static_cast<int>(one.size());
    if (one.empty()) continue;
    sum += counts[one];
  }}
  return sum + {i};
}}
""" for i in range(99)]
        write(folder, {"big.cc": "#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\n\n" + "\n".join(functions)})
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": name, "file": "big.cc", "command": "g++ -std=c++17 -c big.cc"}]))
        verifier = Verifier(program)
        times = []
        for i in range(41):
            new = "sum" if i % 2 else "total"
            got = verifier.ask(folder, f"big.cc\n<<<<<<< SEARCH\n  return sum + {i};\n=======\n  return {new} - {i};\n>>>>>>> REPLACE\n")
            assert got["state"] == ("clean" if i % 2 else "problems"), got
            times.append(got["ms"])
        verifier.close()
        warm = sorted(times[1:])
        print(f"a C++ file of {len((folder / 'big.cc').read_text().splitlines())} lines: first {times[0]} ms, warm p50 "
              f"{warm[20]} ms, p95 {warm[38]} ms")


def doubts_of_table():
    """The names in agent/checkers/doubts.h."""
    return re.findall(r"constexpr Doubt (\w+)\{", (HERE / "../../agent/checkers/doubts.h").read_text())


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    program = os.path.abspath(words[0] if words else "build/release/bin/bodkin")
    projects = words[1:] or list(PROJECTS)
    counts = Counts()
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    if "--judge" in sys.argv:
        for project, title, _, edits in CASES:
            if project in projects:
                expected[f"{project}: {title}"] = judge(project, edits)
        EXPECTED.write_text(json.dumps(expected, indent=2) + "\n")
    figures = []
    if "--speed" in sys.argv:
        return run_speed(program)
    if not words[1:]:
        run_contract(program, counts)
        staged.run(program, counts, write)
        run_new_syntax(program, counts)
        run_ordinary(program, counts)
        run_waiting(program, counts)
        run_hostile(program, counts)
        run_views(program, counts)
        run_hidden(program, counts)
        run_environments(program, counts)
        run_doubts(program, counts)
        run_late_secrets(program, counts)
        run_linked_build(program, counts)
        run_writer(program, counts)
        run_tools(program, counts)
    for project in projects:
        if not shutil.which(SERVERS[language(project)]):
            print(f"skipped: {SERVERS[language(project)]} is not installed")
            counts.skip()
    each([project for project in projects if shutil.which(SERVERS[language(project)])],
         lambda project: run_project(program, project, expected, counts, figures))
    answered = [figure for figure in figures if figure[3] != "not_checked"]
    false_clean = [figure for figure in answered if figure[3] == "clean" and figure[2] != "clean"]
    right = [figure for figure in answered if figure[2] == figure[3]]
    if figures:
        times = sorted(figure[4] for figure in figures)
        print(f"{len(figures)} edits: {len(false_clean)} false clean, {len(right)} of {len(answered)} answered right, "
              f"{100 * len(answered) / len(figures):.0f} % answered, p50 {times[len(times) // 2] * 1000:.0f} ms, "
              f"p95 {times[len(times) * 95 // 100] * 1000:.0f} ms")
    if not words[1:]:
        given = {name: len(GIVEN[name]) for name in doubts_of_table()}
        print("doubts given: " + ", ".join(f"{name} {count}" for name, count in given.items() if count))
        print("never: " + ", ".join(name for name, count in given.items() if not count))
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
