"""What the parts of tests/verify_cli/run.py share: projects, their compilers, and bodkin verify itself."""
import collections
import hashlib
import json
import os
import re
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import classes

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
