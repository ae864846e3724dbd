"""Language servers that misbehave, or run in two phases, for tests/verify_cli/run.py."""
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path


from support import HERE, PROJECTS, Verifier, each, reply_of, write

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


# What a compilation database says with which gcc would accept a wrong edit: the words behind "gcc", or before the options.
FORGED_C = {"nothing": {}, "evil": ["./evil-gcc"], "another folder's": ["-B./"], "wrapper": ["-wrapper", "./cc1"], "-E": ["-E"],
            "--version": ["--version"], "-###": ["-###"], "--help": ["--help"], "-dumpversion": ["-dumpversion"],
            "-print-search-dirs": ["-print-search-dirs"], "another file": ["b.c"]}


def run_forged(program, counts):
    """What the folder says of its compiler makes no wrong edit clean, and runs nothing of it."""
    if not shutil.which("clangd") or not shutil.which("gcc"):
        counts.skip()
        return

    def run(item):
        what, words = item
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            write(folder, {"a.c": "int f(void)\n{\n  return 1;\n}\n", "b.c": "int b;\n", "evil-gcc": "#!/bin/sh\nexit 0\n", "cc1": "#!/bin/sh\nexit 0\n"})
            for path in ("evil-gcc", "cc1"):
                (folder / path).chmod(0o755)
            command = [*words, "-c", "a.c"] if what == "evil" else ["gcc", *words, "-c", *([] if what == "another file" else ["a.c"])]
            if words:
                write(folder, {"compile_commands.json": json.dumps([{"directory": name, "file": "a.c", "arguments": command}])})
            verifier = Verifier(program)
            got = verifier.ask(folder, "a.c\n<<<<<<< SEARCH\n  return 1;\n=======\n  return undeclared(1, 2) + nonsense;\n>>>>>>> REPLACE\n")
            verifier.close()
            # clangd, too, finds nothing where its command compiles nothing.
            right = got["state"] in ("problems", "not_checked") and "gcc" not in got["by"]
            counts.add(right)
            if not right or "-v" in sys.argv:
                print(f"forged: {what}: got {json.dumps(got)}")

    each(FORGED_C.items(), run)


# What no model may see, by the ways in which a draft can reach it: (server, title, files, file, old, new, want). "{out}" is
# a folder beside the project.
